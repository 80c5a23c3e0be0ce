/** The store as an endpoint of Actuator. */
@NullMarked
package dev.ttlstore.spring.endpoint;

import org.jspecify.annotations.NullMarked;
