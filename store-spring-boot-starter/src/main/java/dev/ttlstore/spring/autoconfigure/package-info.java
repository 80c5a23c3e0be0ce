/** Sets up the store and what belongs to it in a Spring Boot application. */
@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
