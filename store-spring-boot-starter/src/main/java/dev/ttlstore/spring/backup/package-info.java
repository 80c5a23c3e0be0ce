/**
 * Holds scheduled backups. The properties {@code store.backup} come in, with the time of the newest backup. Backup
 * files go out to their folder, the oldest are removed, and outcomes go to the meters and the health.
 */
@NullMarked
package dev.ttlstore.spring.backup;

import org.jspecify.annotations.NullMarked;
