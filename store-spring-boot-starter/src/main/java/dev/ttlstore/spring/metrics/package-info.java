/**
 * Holds the Micrometer meters of stores, their groups and their backups. Counts, durations and sizes come in from the
 * activity and the statistics of stores, and from the backup job. Meters go out to the registry, with few tags and
 * never a key.
 */
@NullMarked
package dev.ttlstore.spring.metrics;

import org.jspecify.annotations.NullMarked;
