/**
 * Holds the auto-configuration of the store itself: the check of its properties, the choice of its engine and
 * database, and the declared groups and scopes. Properties come in, and beans of the application such as customizers,
 * codecs and a {@code DataSource}. Beans for the store, its groups and its scopes go out, and what the packages of
 * single features share; they depend on this package, which knows most of them by name only.
 *
 * <p>Start with {@link dev.ttlstore.spring.autoconfigure.StoreProperties} and
 * {@link dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer}.
 */
@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
