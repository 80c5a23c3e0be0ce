package dev.ttlstore.contract;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How tests wait for others: they look at once and often, because most are done within milliseconds, and give up late, because a
 * busy machine takes its time. JUnit finds this extension by itself.
 */
public final class Patience implements BeforeAllCallback {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
        Awaitility.setDefaultTimeout(LONGEST);
    }
}
