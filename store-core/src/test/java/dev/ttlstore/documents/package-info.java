/** Tests of the pages: every example runs as it stands there, and every link leads somewhere. */
@NullMarked
package dev.ttlstore.documents;

import org.jspecify.annotations.NullMarked;
