package dev.ttlstore.contract;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.junit.jupiter.api.DisplayNameGenerator;

/** Shows a test as its promises and its name as a sentence: {@code [P1] an expired entry is gone}. */
public final class PromiseNames extends DisplayNameGenerator.Standard {

    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> testClass, Method method) {
        String sentence =
                method.getName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        Promise promise = method.getAnnotation(Promise.class);
        if (promise == null) {
            promise = method.getDeclaringClass().getAnnotation(Promise.class);
        }
        return promise == null ? sentence : "[" + numbers(promise) + "] " + sentence;
    }

    private static String numbers(Promise promise) {
        return Arrays.stream(promise.value()).mapToObj(number -> "P" + number).collect(Collectors.joining(", "));
    }
}
