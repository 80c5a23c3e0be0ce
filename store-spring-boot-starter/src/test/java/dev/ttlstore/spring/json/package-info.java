@NullMarked
package dev.ttlstore.spring.json;

import org.jspecify.annotations.NullMarked;
