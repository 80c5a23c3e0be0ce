package dev.ttlstore.spring.test;

import org.springframework.core.Ordered;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Closes the context behind a test class that had one of its own, which nobody can use any more, rather than keeping it. */
final class CloseAfterTestClass extends AbstractTestExecutionListener {

    /** Listeners are called in reverse order behind a class, so the others have seen the context before it goes. */
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
