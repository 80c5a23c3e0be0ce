/**
 * Holds how the store enters an application: its properties, the choice of its engine and database, its bean, and
 * those of its groups and scopes. Properties, the {@code DataSource} and customizers of the application come in.
 * Stores, groups and scopes go out as beans, to the application and to the packages of features, which this one knows
 * by name only.
 */
@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
