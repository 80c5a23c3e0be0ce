package dev.ttlstore.spring.test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Gives each test class a context of its own, without changing the context: test classes share a context only if
 * their customizers are equal.
 *
 * <p>It would be cheaper to share a context and empty the store between classes. But that would remove what the
 * application writes at start-up, keep expiries that wait for their handlers, and could not turn back the clock. The
 * result of a class would then depend on earlier classes.
 *
 * @param testClass the class, or the enclosing class whose context it shares
 */
record PerTestClass(Class<?> testClass) implements ContextCustomizer {

    static boolean isMeant(Class<?> testClass) {
        AutoConfigureTestStore annotation =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureTestStore.class);
        return annotation != null && !annotation.shareContext();
    }

    static PerTestClass of(Class<?> testClass) {
        Class<?> outermost = testClass;
        while (TestContextAnnotationUtils.searchEnclosingClass(outermost) && isMeant(outermost.getEnclosingClass())) {
            outermost = outermost.getEnclosingClass();
        }
        return new PerTestClass(outermost);
    }

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        // a different customizer is enough
    }
}
