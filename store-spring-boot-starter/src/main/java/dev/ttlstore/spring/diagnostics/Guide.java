package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;

/** The pages of the documentation that help after a failed start. Each analysis ends with one. */
enum Guide {
    ENCRYPTION("encryption"),
    EXPIRY("expiry"),
    GROUPS("groups-and-values"),
    INSTANCES("several-instances"),
    MOVING("moving-a-store"),
    PROPERTIES("properties"),
    TROUBLESHOOTING("troubleshooting");

    private static final String FOLDER = "store-spring-boot-starter/docs/";

    private final String page;

    Guide(String page) {
        this.page = page;
    }

    /** Returns where the page is, from the root of the project. */
    String path() {
        return FOLDER + page + ".md";
    }

    /** Returns what to do, in sentences, and where to read more. */
    String after(@Nullable String action) {
        String more = "Read more in the documentation: " + path();
        return action == null || action.isBlank() ? more : action.strip() + " " + more;
    }
}
