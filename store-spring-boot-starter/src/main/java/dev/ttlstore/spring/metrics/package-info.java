/**
 * Holds the Micrometer meters of stores. Statistics, work and backups come in from the stores and the jobs. Meters go
 * out to the registries of the application, with few tags and never a key.
 */
@NullMarked
package dev.ttlstore.spring.metrics;

import org.jspecify.annotations.NullMarked;
