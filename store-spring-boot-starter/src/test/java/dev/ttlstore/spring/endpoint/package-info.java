/** Tests of the endpoint by HTTP and JMX. */
@NullMarked
package dev.ttlstore.spring.endpoint;

import org.jspecify.annotations.NullMarked;
