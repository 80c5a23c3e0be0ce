package dev.ttlstore.spring.session;

import java.time.Duration;

/**
 * Keeps data that belongs to a session in step with it. Spring Session has events for the beginning and the end of a
 * session only. Beans of this type follow the sessions that the starter keeps in the store. Methods are called after
 * the commit, by the instance that made the change, and may wait for the store. They must be thread-safe.
 *
 * <pre>{@code
 * @Bean
 * SessionFollower uploads() {
 *     return new SessionFollower() {
 *         @Override
 *         public void renewed(String id, Duration interval) {
 *             store.group("uploads").expire(id, interval.plusMinutes(1));
 *         }
 *
 *         @Override
 *         public void moved(String id, String newId) {
 *             store.group("uploads").take(id).ifPresent(upload -> store.group("uploads").put(newId, upload));
 *         }
 *
 *         @Override
 *         public void ended(String id) {
 *             store.group("uploads").delete(id);
 *         }
 *     };
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreSessionRepository
 * @see StoreReactiveSessionRepository
 */
public interface SessionFollower {

    /**
     * A session has begun, has got another id or interval, or is in use. While it is in use, this is called about once in
     * its interval.
     *
     * @param id the id of the session
     * @param interval how long the session lives after an access at most
     */
    void renewed(String id, Duration interval);

    /**
     * A session has got another id. {@link #renewed} follows.
     *
     * @param id the id until now
     * @param newId the new id
     */
    void moved(String id, String newId);

    /**
     * A session was deleted or has expired. After an expiry, this is called at least once: again if it throws.
     *
     * @param id the id of the session
     */
    void ended(String id);
}
