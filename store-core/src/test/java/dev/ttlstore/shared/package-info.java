/** Stores whose data several processes share, on a fake engine. */
@NullMarked
package dev.ttlstore.shared;

import org.jspecify.annotations.NullMarked;
