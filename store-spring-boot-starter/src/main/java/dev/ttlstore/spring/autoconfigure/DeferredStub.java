package dev.ttlstore.spring.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A stand-in for a group or scope of a mocked store. Only a mock returns null for one, or another kind of group; a
 * test stubs it, perhaps after the beans are created.
 */
final class DeferredStub {

    private DeferredStub() {}

    /**
     * Returns what the store returns, now or at the first use.
     *
     * @param asked calls the store
     * @param call the call, for messages
     */
    static <T> T now(Class<T> type, Supplier<? extends @Nullable Object> asked, String call) {
        Object answer = asked.get();
        return type.isInstance(answer)
                ? type.cast(answer)
                : type.cast(Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> invoke(proxy, method, arguments, asked, call)));
    }

    private static @Nullable Object invoke(
            Object proxy,
            Method method,
            @Nullable Object @Nullable [] arguments,
            Supplier<? extends @Nullable Object> asked,
            String call)
            throws Throwable {
        Object answer = asked.get();
        if (answer == null) {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments, call);
            }
            throw new IllegalStateException("The store is a mock that answers " + call
                    + " with null. Stub that call, or replace the bean by a mock of its own");
        }
        try {
            return method.invoke(answer, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments, String call) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> call + " of a mock";
        };
    }
}
