package dev.ttlstore.cli;

import java.io.Serial;

/** A command cannot do what it was asked for, although its arguments are well-formed. */
final class CommandException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }
}
