package dev.ttlstore.spring.endpoint;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

import dev.ttlstore.spring.endpoint.StoreEndpoint.GroupDescriptor;
import dev.ttlstore.spring.endpoint.StoreEndpoint.Removal;

/**
 * Adds the operations that name a group to the endpoint for the web. Spring Boot lets a parameter or a form field
 * replace a path variable of the same name. Then security rules and logs would see the path of another group. These
 * operations refuse such a request. Thread-safe.
 *
 * @since 0.1
 * @see StoreEndpoint
 */
@EndpointWebExtension(endpoint = StoreEndpoint.class)
public final class StoreEndpointWebExtension {

    private final StoreEndpoint endpoint;

    /**
     * Creates the extension.
     *
     * @param endpoint the endpoint
     */
    public StoreEndpointWebExtension(StoreEndpoint endpoint) {
        this.endpoint = Objects.requireNonNull(endpoint, "'endpoint' must not be null");
    }

    /**
     * Describes a group.
     *
     * @param path the segments of the path that follow the endpoint's own, an array
     * @return the number of its entries and when they expire, or null if it has none
     */
    @ReadOperation
    public @Nullable GroupDescriptor group(@Selector(match = Selector.Match.ALL_REMAINING) Object path) {
        return endpoint.group(segments(path));
    }

    /**
     * Deletes a group with all its entries.
     *
     * @param path the segments of the path that follow the endpoint's own, an array
     * @return the number of removed entries
     */
    @DeleteOperation
    public Removal delete(@Selector(match = Selector.Match.ALL_REMAINING) Object path) {
        return endpoint.delete(segments(path));
    }

    /** A parameter is a text, or a list if there are several, which Boot would convert to an array. */
    private static String[] segments(Object path) {
        if (path instanceof String[] segments) {
            return segments;
        }
        throw new InvalidEndpointRequestException(
                "The name of the group must be in the path only",
                "The request has a parameter 'path', which would replace the name in its path; leave the parameter out");
    }
}
