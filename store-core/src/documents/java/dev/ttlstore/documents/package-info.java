/**
 * Tests of pages and Javadoc: every example compiles or runs as it stands there, and every link leads somewhere. The tests of both
 * modules compile this folder, so that the jars have none of it.
 */
@NullMarked
package dev.ttlstore.documents;

import org.jspecify.annotations.NullMarked;
