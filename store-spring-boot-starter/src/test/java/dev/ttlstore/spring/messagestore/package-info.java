/** Tests. */
@NullMarked
package dev.ttlstore.spring.messagestore;

import org.jspecify.annotations.NullMarked;
