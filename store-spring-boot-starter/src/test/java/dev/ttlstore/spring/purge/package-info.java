@NullMarked
package dev.ttlstore.spring.purge;

import org.jspecify.annotations.NullMarked;
