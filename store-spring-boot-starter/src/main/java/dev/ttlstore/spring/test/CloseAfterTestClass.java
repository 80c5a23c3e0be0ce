package dev.ttlstore.spring.test;

import org.springframework.core.Ordered;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Closes the context of a test class that does not share it, instead of caching a context that nothing will use
 * again.
 */
final class CloseAfterTestClass extends AbstractTestExecutionListener {

    /**
     * Makes this the last listener after a class, because listeners are then called in reverse order. The others
     * still see the context.
     */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterTestClass(TestContext test) {
        Class<?> testClass = test.getTestClass();
        boolean own =
                PerTestClass.isMeant(testClass) && PerTestClass.of(testClass).testClass() == testClass;
        if (own && test.hasApplicationContext()) {
            test.markApplicationContextDirty(HierarchyMode.CURRENT_LEVEL);
        }
    }
}
