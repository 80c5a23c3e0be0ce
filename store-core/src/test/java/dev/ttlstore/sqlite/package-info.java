/** Tests of the embedded engine: the contract, and what only a file can get wrong. */
@NullMarked
package dev.ttlstore.sqlite;

import org.jspecify.annotations.NullMarked;
