/**
 * The machinery between the API and an engine, the one way in for a write: mutations are gathered, the engine loads the rows
 * that they name, they decide in memory, the engine stores what changed in one transaction, and the events go out in commit
 * order.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.commit;

import org.jspecify.annotations.NullMarked;
