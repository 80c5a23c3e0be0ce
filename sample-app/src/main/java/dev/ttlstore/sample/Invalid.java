package dev.ttlstore.sample;

import java.util.ArrayList;
import java.util.List;

/** A field of a request that is not as it should be. The reason never quotes what was sent: it may be a secret. */
record Invalid(String field, String reason) {

    /** Collects all that is wrong with a request, so that its sender can mend it in one go. */
    static final class Collector {

        private final List<Invalid> found = new ArrayList<>();

        void add(String field, String reason) {
            found.add(new Invalid(field, reason));
        }

        void throwIfAny() {
            if (!found.isEmpty()) {
                throw new InvalidRequestException(found);
            }
        }
    }
}
