package dev.ttlstore.spring;

import java.lang.reflect.Proxy;

import dev.ttlstore.Store;

/** Stores that have a test do something of its own when a method of theirs is called. */
public final class StoreSteps {

    private StoreSteps() {}

    /** What a test does. */
    @FunctionalInterface
    public interface Step {

        /** Does it; the call goes on when it returns. */
        void take() throws Exception;
    }

    /** Has something done before each call of a method. */
    public static Store before(Store store, String method, Step step) {
        return around(store, method, step, () -> {});
    }

    /** Has something done after each call of a method that has not thrown. */
    public static Store after(Store store, String method, Step step) {
        return around(store, method, () -> {}, step);
    }

    private static Store around(Store store, String method, Step before, Step after) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                    boolean meant = called.getName().equals(method);
                    if (meant) {
                        before.take();
                    }
                    Object result = called.invoke(store, arguments);
                    if (meant) {
                        after.take();
                    }
                    return result;
                });
    }
}
