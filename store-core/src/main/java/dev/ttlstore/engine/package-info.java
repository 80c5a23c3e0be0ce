/**
 * The SPI of engines, and the rows that pass through it. An engine loads and stores rows in bulk, scans them in
 * order, and runs the few range commands. What writes ask for comes as data, and the store decides it.
 *
 * <p>Belongs here: the interfaces that an engine implements, the values that they take and return, what writes ask for and what
 * becomes of it, and the rules for names and times. Must not depend on any other package of the store. An engine may depend on this package, {@code
 * engine.support} and {@code exception} only.
 *
 * <p>This package is for authors of engines. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine;

import org.jspecify.annotations.NullMarked;
