package dev.ttlstore.spring;

import java.nio.file.Path;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreKeyspaceAutoConfiguration;
import dev.ttlstore.spring.encryption.StoreEncryptionAutoConfiguration;
import dev.ttlstore.spring.event.StoreEventAutoConfiguration;
import dev.ttlstore.spring.expiry.StoreExpiryAutoConfiguration;
import dev.ttlstore.spring.health.StoreHealthContributorAutoConfiguration;
import dev.ttlstore.spring.json.StoreJacksonAutoConfiguration;
import dev.ttlstore.spring.purge.StorePurgeAutoConfiguration;

/** Runs application contexts with all that the starter configures. */
public final class StoreRunner {

    /** Found and sorted once, which takes about as long as it takes to open a store. */
    private static final AutoConfigurations STARTER = AutoConfigurations.of(
            JacksonAutoConfiguration.class,
            StoreAutoConfiguration.class,
            StoreEncryptionAutoConfiguration.class,
            StoreEventAutoConfiguration.class,
            StoreExpiryAutoConfiguration.class,
            StoreHealthContributorAutoConfiguration.class,
            StoreJacksonAutoConfiguration.class,
            StoreKeyspaceAutoConfiguration.class,
            StorePurgeAutoConfiguration.class,
            TaskSchedulingAutoConfiguration.class);

    private StoreRunner() {}

    public static ApplicationContextRunner at(Path folder) {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(STARTER)
                .withPropertyValues("store.path=" + folder.resolve("store.db"));
    }
}
