/** How fast the adapters are beside other implementations of the same interfaces. */
@NullMarked
package dev.ttlstore.spring.benchmark;

import org.jspecify.annotations.NullMarked;
