/**
 * Locks of ShedLock and Spring Integration in a store. A lock is an entry that is put if absent, and that expires
 * when the time of the lock is over.
 */
@NullMarked
package dev.ttlstore.spring.lock;

import org.jspecify.annotations.NullMarked;
