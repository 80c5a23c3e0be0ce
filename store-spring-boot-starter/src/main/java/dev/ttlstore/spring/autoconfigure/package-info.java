/**
 * How the store enters an application: its properties, the choice of its engine and database, its bean, and those of its groups. Other
 * packages of the starter have one feature each, with its auto-configuration; they use this one, which knows none of them but by name.
 */
@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
