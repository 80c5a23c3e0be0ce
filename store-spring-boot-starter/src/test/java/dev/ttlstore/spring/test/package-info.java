@NullMarked
package dev.ttlstore.spring.test;

import org.jspecify.annotations.NullMarked;
