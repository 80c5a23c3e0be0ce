package dev.ttlstore.sample.team;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.sample.web.Invalid;

/** Names of teams. */
public final class Team {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]{1,64}");

    private Team() {}

    public static String check(@Nullable String name) {
        Invalid.Collector invalid = new Invalid.Collector();
        String checked = check(name, invalid);
        invalid.throwIfAny();
        return checked;
    }

    public static String check(@Nullable String name, Invalid.Collector invalid) {
        if (name == null || !isName(name)) {
            invalid.add("team", "must be 1 to 64 letters, digits or hyphens");
            return "";
        }
        return name;
    }

    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
