package dev.ttlstore.spring.benchmark;

/** Who takes part in a race. */
enum Side {
    FILE("in a file"),
    POSTGRESQL("on PostgreSQL"),
    JDBC("JDBC"),
    REDIS("Redis"),
    REDIS_ALWAYS("Redis, always"),
    WITHOUT("without");

    private final String title;

    Side(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
