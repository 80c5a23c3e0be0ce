@NullMarked
package dev.ttlstore.spring.backup;

import org.jspecify.annotations.NullMarked;
