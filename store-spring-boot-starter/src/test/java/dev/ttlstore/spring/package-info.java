@NullMarked
package dev.ttlstore.spring;

import org.jspecify.annotations.NullMarked;
