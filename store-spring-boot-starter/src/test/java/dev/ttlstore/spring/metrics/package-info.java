@NullMarked
package dev.ttlstore.spring.metrics;

import org.jspecify.annotations.NullMarked;
