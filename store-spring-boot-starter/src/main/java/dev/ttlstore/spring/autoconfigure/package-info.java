/** Auto-configuration of the store and its integrations for Spring Boot. */
@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
