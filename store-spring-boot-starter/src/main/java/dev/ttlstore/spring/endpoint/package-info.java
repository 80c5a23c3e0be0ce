/** The Actuator endpoint of the store. */
@NullMarked
package dev.ttlstore.spring.endpoint;

import org.jspecify.annotations.NullMarked;
