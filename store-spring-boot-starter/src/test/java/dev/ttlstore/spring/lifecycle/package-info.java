@NullMarked
package dev.ttlstore.spring.lifecycle;

import org.jspecify.annotations.NullMarked;
