/**
 * Holds the copy of a store to another engine: what is read, compared, written and removed, and when the copy is
 * finished. Rows come in from the source, page by page. The same rows go out to the target, and are read again, so
 * that counts and checksums of both can be compared.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.copy;

import org.jspecify.annotations.NullMarked;
