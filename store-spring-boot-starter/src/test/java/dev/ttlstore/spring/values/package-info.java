@NullMarked
package dev.ttlstore.spring.values;

import org.jspecify.annotations.NullMarked;
