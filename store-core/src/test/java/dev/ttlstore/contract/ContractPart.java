package dev.ttlstore.contract;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Selects the tests of the contract that run on an engine. Each build needs the promises on all engines, and the rest on one of them, in
 * memory, because what names no promise is mostly done above the engines.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ContractPart.Selection.class)
public @interface ContractPart {

    /** Which tests run. */
    Tests value();

    /** A part of the contract. */
    enum Tests {

        /** Those that name a {@link Promise}, or whose class does. */
        PROMISES,

        /** All others. */
        DETAILS
    }

    /** Decides for each test. */
    final class Selection implements ExecutionCondition {

        private static final ConditionEvaluationResult RUNS = ConditionEvaluationResult.enabled("it is of this part");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Method test = context.getTestMethod().orElse(null);
            if (test == null) {
                return RUNS;
            }
            return namesPromise(test, context.getRequiredTestClass()) == (part(context) == Tests.PROMISES)
                    ? RUNS
                    : ConditionEvaluationResult.disabled("it is of the other part");
        }

        /** Finds the part of the class around, which gives nested ones their engine. */
        private static Tests part(ExtensionContext context) {
            Optional<ExtensionContext> around = Optional.of(context);
            while (around.isPresent()) {
                Optional<ContractPart> part = around.get()
                        .getTestClass()
                        .flatMap(type -> AnnotationSupport.findAnnotation(type, ContractPart.class));
                if (part.isPresent()) {
                    return part.get().value();
                }
                around = around.get().getParent();
            }
            throw new IllegalStateException("No class around the test says which part of the contract it has");
        }

        /** A test of an area names the promises of the area, which the nested class of an engine extends. */
        static boolean namesPromise(Method test, Class<?> type) {
            if (namesPromise(test)) {
                return true;
            }
            for (Class<?> around = type; around != null; around = around.getEnclosingClass()) {
                for (Class<?> area = around; area != null; area = area.getSuperclass()) {
                    if (namesPromise(area)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private static boolean namesPromise(AnnotatedElement element) {
            return AnnotationSupport.isAnnotated(element, Promise.class);
        }
    }
}
