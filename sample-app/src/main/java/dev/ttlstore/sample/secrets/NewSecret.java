package dev.ttlstore.sample.secrets;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.sample.web.Invalid;

/** A secret as posted by a sender. The ttl is read as text, to distinguish an invalid duration from invalid JSON. */
record NewSecret(@Nullable String value, @Nullable String ttl) {

    private static final int MAX_LENGTH = 65_536;

    /** Omits the value, because frameworks may log what they read. */
    @Override
    public String toString() {
        return "NewSecret[ttl=" + ttl + "]";
    }

    /** A valid secret. */
    record Checked(String value, Duration ttl) {}

    /** Collects every invalid field. No reason quotes the request. */
    Checked check(Invalid.Collector invalid) {
        return new Checked(checkValue(invalid), checkTtl(invalid));
    }

    private String checkValue(Invalid.Collector invalid) {
        if (value == null || value.isEmpty()) {
            invalid.add("value", "must not be empty");
            return "";
        }
        if (value.length() > MAX_LENGTH) {
            invalid.add("value", "must be at most " + MAX_LENGTH + " characters");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            invalid.add("value", "must be Unicode text without unpaired surrogates");
        }
        return value;
    }

    private Duration checkTtl(Invalid.Collector invalid) {
        return checkDuration("ttl", ttl, invalid);
    }

    static Duration checkDuration(String field, @Nullable String duration, Invalid.Collector invalid) {
        if (duration == null) {
            invalid.add(field, "is required, as an ISO-8601 duration such as PT10M");
            return Duration.ZERO;
        }
        try {
            Duration parsed = Duration.parse(duration);
            if (parsed.isZero() || parsed.isNegative()) {
                invalid.add(field, "must be more than zero");
            } else if (parsed.compareTo(Secrets.MAX_TTL) > 0) {
                invalid.add(field, "must be at most " + Secrets.MAX_TTL.toDays() + " days");
            }
            return parsed;
        } catch (DateTimeParseException e) {
            invalid.add(field, "must be an ISO-8601 duration such as PT10M");
            return Duration.ZERO;
        }
    }
}
