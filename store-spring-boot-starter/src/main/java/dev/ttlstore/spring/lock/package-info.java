/**
 * Holds ShedLock's and Spring Integration's locks in a store. Requests to lock come in from these libraries, and the
 * properties {@code store.lock-provider} and {@code store.lock-registry}. Entries go out that are put if absent, and
 * that expire when the lock's time is over.
 */
@NullMarked
package dev.ttlstore.spring.lock;

import org.jspecify.annotations.NullMarked;
