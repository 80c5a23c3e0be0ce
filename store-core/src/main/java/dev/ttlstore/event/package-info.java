/** What happens to entries, told to those who listen. */
@NullMarked
package dev.ttlstore.event;

import org.jspecify.annotations.NullMarked;
