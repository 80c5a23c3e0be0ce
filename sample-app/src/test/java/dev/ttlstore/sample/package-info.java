@NullMarked
package dev.ttlstore.sample;

import org.jspecify.annotations.NullMarked;
