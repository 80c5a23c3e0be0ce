@NullMarked
package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
