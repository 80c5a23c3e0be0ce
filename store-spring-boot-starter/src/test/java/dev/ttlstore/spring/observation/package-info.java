@NullMarked
package dev.ttlstore.spring.observation;

import org.jspecify.annotations.NullMarked;
