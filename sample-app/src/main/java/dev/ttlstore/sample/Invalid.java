package dev.ttlstore.sample;

import java.util.ArrayList;
import java.util.List;

/** An invalid field of a request. The reason never quotes the request, which may contain a secret. */
record Invalid(String field, String reason) {

    /** Collects all problems of a request, so that its sender can fix them at once. */
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
