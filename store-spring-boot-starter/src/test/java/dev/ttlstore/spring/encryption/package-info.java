@NullMarked
package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.NullMarked;
