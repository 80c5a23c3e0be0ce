/**
 * Exports entries as JSON lines, and imports them. Needs Jackson ({@code tools.jackson.core:jackson-core}) on the class path.
 *
 * <p>Belongs here: the format of a line, the files, and what an import does with each line. It uses the store as any tool may, by
 * {@link dev.ttlstore.Store#stored()}.
 */
@NullMarked
package dev.ttlstore.export;

import org.jspecify.annotations.NullMarked;
