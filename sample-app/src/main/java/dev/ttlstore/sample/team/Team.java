package dev.ttlstore.sample.team;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.sample.web.Invalid;
import dev.ttlstore.sample.web.Refusal;

/** Names of teams. */
public final class Team {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]{1,64}");

    private static final String FIELD = "team";
    private static final String REASON = "must be 1 to 64 letters, digits or hyphens";

    private Team() {}

    public static String check(@Nullable String name) {
        if (name == null || !isName(name)) {
            throw Refusal.of(FIELD, REASON).titled("This is not a valid team name");
        }
        return name;
    }

    public static String check(@Nullable String name, Invalid.Collector invalid) {
        if (name == null || !isName(name)) {
            invalid.add(FIELD, REASON);
            return "";
        }
        return name;
    }

    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
