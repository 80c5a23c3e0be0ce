/**
 * Events for committed changes, and the interfaces to receive them.
 *
 * <p>Belongs here: events, listeners, watches and observers, as users see them. May depend on no other package of the
 * store.
 */
@NullMarked
package dev.ttlstore.event;

import org.jspecify.annotations.NullMarked;
