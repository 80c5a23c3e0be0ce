package dev.ttlstore.sample;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

import dev.ttlstore.Store;

/** Takes away what the test before has left: entries, limits reached, and live pages whose client has gone unnoticed. */
public final class EmptySample implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        ApplicationContext sample = SpringExtension.getApplicationContext(context);
        Nodes.of(sample).endStreams();
        empty(sample.getBean(Store.class));
    }

    /** Empties a store, once the handlers have noted what expired in earlier tests: they add to the activity of its team. */
    public static void empty(Store store) {
        store.purgeExpired();
        Awaitility.await().until(() -> store.expirySubscribers().stream()
                .noneMatch(subscriber -> subscriber.active() && subscriber.pending() > 0));
        store.deletePrefix("");
    }
}
