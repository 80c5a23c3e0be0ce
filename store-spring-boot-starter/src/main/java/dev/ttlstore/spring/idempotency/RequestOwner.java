package dev.ttlstore.spring.idempotency;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Says whose idempotency key a request has, so that nobody gets the answer to another's request by using the same key. An application
 * declares a bean if its clients are known by something else than their login, such as an API key or a tenant.
 */
@FunctionalInterface
public interface RequestOwner {

    /**
     * Returns the owner of a request.
     *
     * @param request the request
     * @return the owner, which may be empty; it is stored as a hash only
     */
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
