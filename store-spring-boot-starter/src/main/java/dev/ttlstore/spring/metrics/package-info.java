/** Micrometer meters of stores, their groups and their backups. They have few tags, and never a key. */
@NullMarked
package dev.ttlstore.spring.metrics;

import org.jspecify.annotations.NullMarked;
