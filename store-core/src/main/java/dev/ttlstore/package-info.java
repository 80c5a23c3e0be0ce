/**
 * A durable key-value store whose entries expire. Start with {@link dev.ttlstore.Store#open(java.nio.file.Path)}.
 * {@link dev.ttlstore.Group} is the interface for all work with keys.
 *
 * <p>Belongs here: the interfaces, builders and values that users call. May depend on {@code event}, {@code expiry}
 * and {@code exception}. From the engine SPI it uses only how an engine is opened, and the rules for names and times:
 * {@code EngineFactory}, {@code EngineProvider}, {@code Millis}, {@code Names} and {@code Utf8}.
 */
@NullMarked
package dev.ttlstore;

import org.jspecify.annotations.NullMarked;
