/** Tests of what is decided between the API and an engine, without a database. */
@NullMarked
package dev.ttlstore.commit;

import org.jspecify.annotations.NullMarked;
