/**
 * What an engine must do, and the rows that pass through it: load and store rows in bulk, scan them in order, and run the
 * few set-wide commands. An engine decides nothing; it imports the exceptions of {@code dev.ttlstore}, and nothing here
 * imports anything above.
 *
 * <p>This package is for those who write an engine. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine;

import org.jspecify.annotations.NullMarked;
