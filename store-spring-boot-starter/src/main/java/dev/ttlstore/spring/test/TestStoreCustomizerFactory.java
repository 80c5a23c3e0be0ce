package dev.ttlstore.spring.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Keeps the store of each test in memory. Test classes with {@link AutoConfigureTestStore} have separate contexts,
 * unless they share them. All other classes share contexts as if there were no store.
 */
final class TestStoreCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        if (!TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureTestStore.class)) {
            return new InMemoryUnlessSet();
        }
        return PerTestClass.isMeant(testClass) ? PerTestClass.of(testClass) : null;
    }
}
