package dev.ttlstore.cli;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** URLs among the arguments. They may contain a password, so none is printed, and none is taken for a path, which would be printed. */
final class Urls {

    private static final String OF_DATABASE = "jdbc:postgresql:";

    private static final Pattern ANY =
            Pattern.compile("(?i)(jdbc|postgres|postgresql|pgsql):.*|[a-z][a-z0-9+.-]+://.*");

    /** The driver would take a role and a password before the host for a part of its name or its port, and log them. */
    private static final Pattern WITH_LOGIN = Pattern.compile(OF_DATABASE + "[^?]*@.*");

    private Urls() {}

    static boolean isOfDatabase(String where) {
        return where.startsWith(OF_DATABASE);
    }

    static boolean isAny(String argument) {
        return ANY.matcher(argument).matches();
    }

    /** Refuses what is neither a path nor a URL that the driver takes. */
    static void requireUsable(String where) {
        if (!isOfDatabase(where)) {
            Path unused = path(where);
        } else if (WITH_LOGIN.matcher(where).matches()) {
            throw new IllegalArgumentException(
                    "The URL has a role or a password before the host. Name the role with --user; --password asks for the"
                            + " password. An @ in the name of a database is written as %40");
        }
    }

    /** Returns the path that an argument names. */
    static Path path(String argument) {
        if (isAny(argument)) {
            throw new IllegalArgumentException(
                    "A store is named by the path of a file, or by a JDBC URL, which begins with " + OF_DATABASE
                            + "//; other files are named by their paths. This is another URL");
        }
        return Path.of(argument);
    }
}
