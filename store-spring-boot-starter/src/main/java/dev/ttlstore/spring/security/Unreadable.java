package dev.ttlstore.spring.security;

import java.util.Optional;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;

/** Entries that cannot be read, such as those of another release of the application or of a lost key, count as absent. */
final class Unreadable {

    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);

    private Unreadable() {}

    /** Reads from a group. If the value cannot be decrypted or decoded, the result is empty and the log says so, without the value. */
    static <T> Optional<T> asAbsent(String group, Supplier<Optional<T>> read) {
        try {
            return read.get();
        } catch (CodecException | SealedValueException e) {
            log.warn("An entry of the group '{}' cannot be read; it counts as absent. {}", group, e.getMessage());
            return Optional.empty();
        }
    }
}
