/**
 * Auto-configuration of the store: its properties, the choice of its engine and database, and the beans for the
 * store, its groups and its scopes. Start with {@link dev.ttlstore.spring.autoconfigure.StoreProperties} and
 * {@link dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer}. The packages of single features depend on this
 * one, which knows them by name only.
 */
@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
