package dev.ttlstore.sample;

import java.io.Serial;
import java.util.List;

/** Thrown if a request has invalid fields. Nothing was stored. */
final class InvalidRequestException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Invalid> fields;

    InvalidRequestException(List<Invalid> fields) {
        super("Not valid: " + fields);
        this.fields = List.copyOf(fields);
    }

    static InvalidRequestException of(String field, String reason) {
        return new InvalidRequestException(List.of(new Invalid(field, reason)));
    }

    List<Invalid> fields() {
        return fields;
    }
}
