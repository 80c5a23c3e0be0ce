package dev.ttlstore.spring.test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Changes nothing in a context, but has each test class get one of its own: contexts are shared between test classes that
 * have equal customizers.
 *
 * <p>Emptying one store between the classes would be cheaper, since they could share a context. But it would take away what
 * the application has written at its start, leave the expiries that wait to be handled, and could not turn back the clock: the
 * outcome of a class would depend on those before it.
 *
 * @param testClass the class, or the one around it whose context it shares
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
        // being different is enough
    }
}
