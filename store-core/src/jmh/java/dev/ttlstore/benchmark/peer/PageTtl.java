package dev.ttlstore.benchmark.peer;

import java.time.Duration;

/** How long the entries of a page live: what is written together expires together. */
public interface PageTtl {

    /** The ttl. */
    Duration of(Dataset.Page page);
}
