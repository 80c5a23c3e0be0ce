package dev.ttlstore.jcache;

import dev.ttlstore.Store;

/** A store that a manager uses until it gives the lease back. */
interface StoreLease extends AutoCloseable {

    Store store();

    /** Gives the store back; again, does nothing. */
    @Override
    void close();
}
