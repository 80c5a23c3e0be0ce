/** How fast TTL Store is, beside SQLite by hand and others that do some of what it does. Run with JMH. */
@NullMarked
package dev.ttlstore.benchmark;

import org.jspecify.annotations.NullMarked;
