/**
 * Spring Integration's metadata store. Its entries live in one group of the store. It reports changes to the
 * listeners of Spring Integration.
 */
@NullMarked
package dev.ttlstore.spring.metadata;

import org.jspecify.annotations.NullMarked;
