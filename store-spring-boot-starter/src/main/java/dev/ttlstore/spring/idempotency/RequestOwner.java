package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Says whose idempotency key a request has, so that nobody gets the answer to another's request by using the same key. An application
 * declares a bean if its clients are known by something else than their login, such as an API key or a tenant.
 */
@FunctionalInterface
public interface RequestOwner {

    /**
     * Returns the owner of a request. Called before the application gets the request, so it must not read the body or the parameters.
     *
     * @param request the request
     * @return the owner, stored as a hash only; null or empty if nobody is known, so that all such requests have the same owner
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
