package dev.ttlstore.sample.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An invalid field of a request. The reason never quotes the request, which may contain a secret. */
public record Invalid(String field, String reason) {

    /** What people call the fields whose names say too little. The script of the pages uses the same words. */
    private static final Map<String, String> WORDS = Map.of(
            "value", "secret", "ttl", "time until the expiry", "by", "extended time", "views", "number of readers");

    /** Describes the problem in a sentence, for a page. */
    @Override
    public String toString() {
        return "The " + WORDS.getOrDefault(field, field) + " " + reason + ".";
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
