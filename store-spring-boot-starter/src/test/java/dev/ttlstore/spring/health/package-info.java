@NullMarked
package dev.ttlstore.spring.health;

import org.jspecify.annotations.NullMarked;
