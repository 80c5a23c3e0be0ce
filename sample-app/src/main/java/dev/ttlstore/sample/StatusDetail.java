package dev.ttlstore.sample;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;

import static java.util.Objects.requireNonNullElse;

/** What can be told of an error by its status alone, so that nothing of the request is in it. */
@Component
class StatusDetail {

    private final SecretsProperties properties;

    StatusDetail(SecretsProperties properties) {
        this.properties = properties;
    }

    String of(HttpStatusCode code) {
        return switch (requireNonNullElse(HttpStatus.resolve(code.value()), HttpStatus.INTERNAL_SERVER_ERROR)) {
            case UNAUTHORIZED -> "This is for the operator, who logs in.";
            case FORBIDDEN ->
                "The token of the page is missing, or is not valid any more: load the page again, and repeat what you did.";
            case NOT_FOUND -> "There is nothing at this address, which may have been cut off, or mistyped.";
            case METHOD_NOT_ALLOWED -> "This address takes other methods, as the header Allow says.";
            case CONTENT_TOO_LARGE ->
                "The body must be at most " + properties.bodyLimit().toKilobytes() + " KB.";
            case UNSUPPORTED_MEDIA_TYPE -> "The body must be JSON, and the header Content-Type say so.";
            case TOO_MANY_REQUESTS -> "There were too many attempts. Wait a minute, and try again.";
            default ->
                code.is5xxServerError()
                        ? "The request has failed for a reason that is not yours."
                        : "The request is not one that is understood here.";
        };
    }
}
