package dev.ttlstore.sample;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;

import static java.util.Objects.requireNonNullElse;

/** Describes an error by its status only, so that nothing of the request is in the answer. */
@Component
class StatusDetail {

    private final SecretsProperties properties;

    StatusDetail(SecretsProperties properties) {
        this.properties = properties;
    }

    String of(HttpStatusCode code) {
        return switch (requireNonNullElse(HttpStatus.resolve(code.value()), HttpStatus.INTERNAL_SERVER_ERROR)) {
            case UNAUTHORIZED -> "Only the operator has access. Log in first.";
            case FORBIDDEN -> "The token of the page is missing or no longer valid. Reload the page, and try again.";
            case NOT_FOUND -> "There is nothing at this address. It may be incomplete or mistyped.";
            case METHOD_NOT_ALLOWED -> "This address does not support the method, but those in the Allow header.";
            case CONTENT_TOO_LARGE ->
                "The body must be at most " + properties.bodyLimit().toKilobytes() + " KB.";
            case UNSUPPORTED_MEDIA_TYPE -> "The body must be JSON, with a matching Content-Type header.";
            case TOO_MANY_REQUESTS -> "There were too many attempts. Wait a minute, and try again.";
            default ->
                code.is5xxServerError()
                        ? "The request failed because of an error in the server."
                        : "The server does not understand this request.";
        };
    }
}
