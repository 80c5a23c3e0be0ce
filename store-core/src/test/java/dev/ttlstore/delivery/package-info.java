@NullMarked
package dev.ttlstore.delivery;

import org.jspecify.annotations.NullMarked;
