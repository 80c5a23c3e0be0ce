@NullMarked
package dev.ttlstore.spring.expiry;

import org.jspecify.annotations.NullMarked;
