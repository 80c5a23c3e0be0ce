package dev.ttlstore.spring.test;

import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;

import dev.ttlstore.spring.test.AutoConfigureTestStore.Replace;

/**
 * Sets {@code store.in-memory=true} with the highest precedence, unless the test sets the location of the store. It
 * checks that when the property is read, because dynamic properties may be added until then.
 */
final class InMemoryProperty extends PropertySource<TestProperties> {

    private static final Logger log = LoggerFactory.getLogger(InMemoryProperty.class);

    private static final String IN_MEMORY = "store.in-memory";

    private final ConfigurableEnvironment environment;
    private final AtomicBoolean told = new AtomicBoolean();

    InMemoryProperty(ConfigurableEnvironment environment, TestProperties test) {
        super("ttlStoreInMemory", test); // not the environment, which Boot treats as a source of its own
        this.environment = environment;
    }

    @Override
    public @Nullable Object getProperty(String name) {
        if (!name.equals(IN_MEMORY)
                || Replace.in(environment) == Replace.NONE
                || getSource().contain("store.path")
                || getSource().contain(IN_MEMORY)) {
            return null;
        }
        if (told.compareAndSet(false, true)) {
            log.info("Tests use the starter's store in memory. To use a file, set 'store.path' in the test, or"
                    + " 'store.test.replace=none' for all tests");
        }
        return true;
    }
}
