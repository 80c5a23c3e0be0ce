package dev.ttlstore.sample.web;

import java.util.ArrayList;
import java.util.List;

/** An invalid field of a request. The reason never quotes the request, which may contain a secret. */
public record Invalid(String field, String reason) {

    /** Describes the problem in a sentence, for a page. */
    @Override
    public String toString() {
        return "The " + field + " " + reason + ".";
    }

    /** Collects all problems of a request, so that its sender can fix them at once. */
    public static final class Collector {

        private final List<Invalid> found = new ArrayList<>();

        public void add(String field, String reason) {
            found.add(new Invalid(field, reason));
        }

        public void throwIfAny() {
            if (!found.isEmpty()) {
                throw Refusal.of(found);
            }
        }
    }
}
