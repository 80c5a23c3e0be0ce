/** Stores whose process is killed, whose files are damaged, or that run for long. */
@NullMarked
package dev.ttlstore.sqlite.crash;

import org.jspecify.annotations.NullMarked;
