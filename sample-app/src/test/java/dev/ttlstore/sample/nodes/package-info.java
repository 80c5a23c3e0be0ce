/** What three nodes of the sample need around them: a database, and a reverse proxy. */
@NullMarked
package dev.ttlstore.sample.nodes;

import org.jspecify.annotations.NullMarked;
