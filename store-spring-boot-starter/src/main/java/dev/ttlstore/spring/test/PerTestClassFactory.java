package dev.ttlstore.spring.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;

/** Has test classes with {@link AutoConfigureTestStore} get contexts of their own. */
final class PerTestClassFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        return PerTestClass.isMeant(testClass) ? PerTestClass.of(testClass) : null;
    }
}
