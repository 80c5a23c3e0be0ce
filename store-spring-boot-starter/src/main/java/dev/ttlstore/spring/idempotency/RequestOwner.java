package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the owner of the idempotency key of a request. So no client gets the answer to another client's request by
 * using the same key. An application declares a bean if it knows its clients by something other than their login, such
 * as an API key or a tenant:
 *
 * <pre>{@code
 * @Bean
 * RequestOwner byApiKey() {
 *     return request -> request.getHeader("X-Api-Key");
 * }
 * }</pre>
 *
 * @since 0.1
 * @see IdempotencyFilter
 */
@FunctionalInterface
public interface RequestOwner {

    /**
     * Returns the owner of a request. The filter calls it before the application gets the request, so it must not read the body or the
     * parameters.
     *
     * @param request the request
     * @return the owner, stored as a hash only; null or empty if the owner is unknown; all such requests have the same owner
     */
    @Nullable
    String of(HttpServletRequest request);

    /**
     * Returns the owner by the name of the user who is logged in. All requests without a login have the same owner.
     *
     * @return the owner by the login
     */
    static RequestOwner byLogin() {
        return request -> request.getRemoteUser() == null ? "" : request.getRemoteUser();
    }
}
