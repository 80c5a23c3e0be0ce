/** Events for committed changes, and the interfaces to receive them. */
@NullMarked
package dev.ttlstore.event;

import org.jspecify.annotations.NullMarked;
