/**
 * Holds exports and imports of entries as lines of JSON. Entries come in from a store through
 * {@link dev.ttlstore.Store#stored()}, or lines from a file or a stream. A file or a stream of lines goes out, or
 * entries go into a store.
 *
 * <p>Needs Jackson ({@code tools.jackson.core:jackson-core}) on the class path.
 */
@NullMarked
package dev.ttlstore.export;

import org.jspecify.annotations.NullMarked;
