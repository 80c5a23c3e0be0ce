package dev.ttlstore.spring.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.spring.expiry.InvalidExpiryHandlerException;

/** Reports which {@code @OnExpiry} method cannot be called, why, and what to do. */
final class ExpiryHandlerFailureAnalyzer extends AbstractFailureAnalyzer<InvalidExpiryHandlerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidExpiryHandlerException cause) {
        return new FailureAnalysis(
                "The @OnExpiry method " + cause.handler() + " cannot be called when entries expire: " + cause.problem()
                        + ".",
                Guide.EXPIRY.after(cause.remedy() + "."),
                cause);
    }
}
