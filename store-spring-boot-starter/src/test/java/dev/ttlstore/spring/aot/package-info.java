@NullMarked
package dev.ttlstore.spring.aot;

import org.jspecify.annotations.NullMarked;
