package dev.ttlstore.spring.test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Keeps the starter's store in memory in tests that do not configure it. Spring keeps all contexts of a test suite
 * open, and only one of them could own a file. The file's entries would also remain for the next run.
 *
 * <p>All instances are equal, so test classes share contexts as they do without the store.
 */
record InMemoryUnlessSet() implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        ConfigurableEnvironment environment = context.getEnvironment();
        environment
                .getPropertySources()
                .addFirst(new InMemoryProperty(environment, new TestProperties(context, configuration)));
    }
}
