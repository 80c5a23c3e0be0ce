package dev.ttlstore.sample.secrets;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.sample.web.Invalid;

/** A secret as posted by a sender. The ttl is read as text, to distinguish an invalid duration from invalid JSON. */
record NewSecret(
        @Nullable String value,
        @Nullable String ttl,
        @Nullable String passphrase,
        @Nullable Integer views,
        @Nullable Boolean sealed,
        @Nullable Boolean newTeam) {

    private static final int MAX_LENGTH = 65_536;

    /** As long as the longest text, with three bytes for each character, when it is encrypted and encoded. */
    private static final int MAX_SEALED_LENGTH = 4 * MAX_LENGTH + 40;

    private static final int MAX_PASSPHRASE = 200;
    private static final int MAX_VIEWS = 20;
    private static final String NO_UNICODE = "must be Unicode text without unpaired surrogates";

    /** Omits the value, because frameworks may log what they read. */
    @Override
    public String toString() {
        return "NewSecret[ttl=" + ttl + "]";
    }

    /** A valid secret. */
    record Checked(
            String value, Duration ttl, @Nullable String passphrase, int views, boolean sealed, boolean newTeam) {

        /** Omits the value, because frameworks may log what they read. */
        @Override
        public String toString() {
            return "Checked[ttl=" + ttl + "]";
        }
    }

    /** Collects every invalid field. No reason quotes the request. */
    Checked check(Invalid.Collector invalid) {
        return new Checked(
                checkValue(invalid),
                checkTtl(invalid),
                checkPassphrase(invalid),
                checkViews(invalid),
                isSealed(),
                Boolean.TRUE.equals(newTeam));
    }

    private String checkValue(Invalid.Collector invalid) {
        if (value == null || value.isEmpty()) {
            invalid.add("value", "must not be empty");
            return "";
        }
        if (isSealed()) {
            if (value.length() > MAX_SEALED_LENGTH || !value.matches("[A-Za-z0-9_-]+")) {
                invalid.add("value", "must be base64url without padding if it is sealed, of a text of limited length");
            }
            return value;
        }
        if (value.length() > MAX_LENGTH) {
            invalid.add("value", "must be at most " + MAX_LENGTH + " characters");
        }
        if (!isUnicode(value)) {
            invalid.add("value", NO_UNICODE);
        }
        return value;
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private boolean isSealed() {
        return Boolean.TRUE.equals(sealed);
    }

    private @Nullable String checkPassphrase(Invalid.Collector invalid) {
        if (passphrase == null || passphrase.isEmpty()) {
            return null;
        }
        if (passphrase.length() > MAX_PASSPHRASE) {
            invalid.add("passphrase", "must be at most " + MAX_PASSPHRASE + " characters");
        }
        if (!isUnicode(passphrase)) {
            invalid.add("passphrase", NO_UNICODE);
        }
        return passphrase;
    }

    private int checkViews(Invalid.Collector invalid) {
        if (views == null) {
            return 1;
        }
        if (views < 1 || views > MAX_VIEWS) {
            invalid.add("views", "must be 1 to " + MAX_VIEWS);
        }
        return views;
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
            } else if (parsed.compareTo(Secret.MAX_TTL) > 0) {
                invalid.add(field, "must be at most " + Secret.MAX_TTL.toDays() + " days");
            }
            return parsed;
        } catch (DateTimeParseException e) {
            invalid.add(field, "must be an ISO-8601 duration such as PT10M");
            return Duration.ZERO;
        }
    }
}
