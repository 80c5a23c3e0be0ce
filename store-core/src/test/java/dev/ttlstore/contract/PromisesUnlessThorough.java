package dev.ttlstore.contract;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Leaves out the tests that name no {@link Promise}, unless a build is {@linkplain Effort#isThorough thorough}. It is for an engine
 * whose other behaviour is that of one for which everything runs.
 */
public final class PromisesUnlessThorough implements ExecutionCondition {

    private static final ConditionEvaluationResult RUNS = ConditionEvaluationResult.enabled("it runs");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Method test = context.getTestMethod().orElse(null);
        if (test == null
                || Effort.isThorough()
                || namesPromise(test)
                || classNamesPromise(context.getRequiredTestClass())) {
            return RUNS;
        }
        return ConditionEvaluationResult.disabled("names no promise; a thorough build runs it");
    }

    private static boolean classNamesPromise(Class<?> type) {
        for (Class<?> around = type; around != null; around = around.getEnclosingClass()) {
            if (namesPromise(around)) {
                return true;
            }
        }
        return false;
    }

    private static boolean namesPromise(AnnotatedElement element) {
        return AnnotationSupport.isAnnotated(element, Promise.class);
    }
}
