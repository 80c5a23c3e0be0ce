package dev.ttlstore.sample;

import java.util.regex.Pattern;

/** Names of teams. */
final class Team {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]{1,64}");

    private Team() {}

    static String check(String name) {
        Invalid.Collector invalid = new Invalid.Collector();
        String checked = check(name, invalid);
        invalid.throwIfAny();
        return checked;
    }

    static String check(String name, Invalid.Collector invalid) {
        if (!NAME.matcher(name).matches()) {
            invalid.add("team", "must be 1 to 64 letters, digits or hyphens");
        }
        return name;
    }
}
