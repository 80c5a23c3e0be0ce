@NullMarked
package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.NullMarked;
