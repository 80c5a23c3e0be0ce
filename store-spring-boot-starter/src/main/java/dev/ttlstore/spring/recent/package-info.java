/** What adapters remember of entries to ask the database less often. */
@NullMarked
package dev.ttlstore.spring.recent;

import org.jspecify.annotations.NullMarked;
