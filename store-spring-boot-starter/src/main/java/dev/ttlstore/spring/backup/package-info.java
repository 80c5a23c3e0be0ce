/**
 * Holds scheduled backups of a store in a file. An interval and a folder come in from the properties. Each backup goes
 * out as one file to that folder, where the oldest are deleted; figures and the last failure go to {@code metrics} and
 * {@code health}.
 */
@NullMarked
package dev.ttlstore.spring.backup;

import org.jspecify.annotations.NullMarked;
