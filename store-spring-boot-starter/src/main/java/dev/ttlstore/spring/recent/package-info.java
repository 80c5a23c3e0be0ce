/**
 * Holds what adapters remember of entries, to ask the database less often. Entries that an instance has read or
 * written come in. Those that were used last go out again, within a bound in bytes; they may be out of date, so their
 * users check the version.
 */
@NullMarked
package dev.ttlstore.spring.recent;

import org.jspecify.annotations.NullMarked;
