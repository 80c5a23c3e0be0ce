/** Tests of what listeners and watches are told, and of how they ask for it. */
@NullMarked
package dev.ttlstore.event;

import org.jspecify.annotations.NullMarked;
