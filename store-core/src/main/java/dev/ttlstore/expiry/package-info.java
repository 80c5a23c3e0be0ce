/**
 * Holds durable expiry as applications see it: handlers of expired entries, subscribers, dead letters and settings.
 * Expired entries come in from the store, at least once each. Calls of handlers go out to the application, and what no
 * handler could handle as dead letters.
 */
@NullMarked
package dev.ttlstore.expiry;

import org.jspecify.annotations.NullMarked;
