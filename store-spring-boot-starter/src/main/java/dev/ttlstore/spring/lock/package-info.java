/**
 * Holds locks of ShedLock and Spring Integration in a store. Requests to lock, renew and unlock come in from these
 * libraries. Each lock goes out as an entry that is put if absent and expires when the time of the lock is over.
 */
@NullMarked
package dev.ttlstore.spring.lock;

import org.jspecify.annotations.NullMarked;
