@NullMarked
package dev.ttlstore.spring.event;

import org.jspecify.annotations.NullMarked;
