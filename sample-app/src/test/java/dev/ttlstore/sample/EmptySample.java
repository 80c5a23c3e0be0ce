package dev.ttlstore.sample;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

import dev.ttlstore.Store;

/** Takes away what the test before has left: entries, limits reached, and live pages whose client has gone unnoticed. */
final class EmptySample implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        ApplicationContext sample = SpringExtension.getApplicationContext(context);
        Nodes.of(sample).endStreams();
        sample.getBean(Store.class).deletePrefix("");
    }
}
