package dev.ttlstore.spring.session;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

import dev.ttlstore.Store;

import static java.util.Objects.requireNonNull;

/** Part of the contract, nested in it: its store is that of the engine's test. */
@ExtendWith(SessionArea.Areas.class)
abstract class SessionArea extends SessionKit {

    private @Nullable StoreSessionContract contract;

    @Override
    final Store store() {
        return requireNonNull(contract).store();
    }

    @Override
    final void pass(Duration time) {
        requireNonNull(contract).pass(time);
    }

    /** Tells each area to which contract it belongs. */
    static final class Areas implements BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            ((SessionArea) context.getRequiredTestInstance()).contract = context.getRequiredTestInstances()
                    .findInstance(StoreSessionContract.class)
                    .orElseThrow();
        }
    }
}
