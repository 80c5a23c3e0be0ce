package dev.ttlstore.postgresql;

/** What a schema is opened for. */
enum SchemaUse {

    /** A store uses it. */
    STORE,

    /** It is copied, so nothing is created. */
    SOURCE,

    /** Another store is copied into it, so there may be an unfinished copy. */
    TARGET
}
