package dev.ttlstore.contract;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has Awaitility look every 20 milliseconds instead of every 100, for most of what tests wait for takes less. Found by JUnit
 * itself where extensions are detected automatically.
 */
public final class Polling implements BeforeAllCallback {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
