/**
 * Scheduled backups. The job writes each backup to a folder, removes the oldest ones, and reports to the meters and
 * the health.
 */
@NullMarked
package dev.ttlstore.spring.backup;

import org.jspecify.annotations.NullMarked;
