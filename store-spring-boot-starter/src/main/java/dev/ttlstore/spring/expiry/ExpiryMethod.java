package dev.ttlstore.spring.expiry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

import dev.ttlstore.ExpiryEvents;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.Store;
import dev.ttlstore.TypeRef;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.MissingCodecException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpiryHandler;

/** A method of a bean with {@link OnExpiry}. */
final class ExpiryMethod {

    /** How many conflicts of the method's transaction are no failure. */
    private static final int CONFLICTS = 20;

    private static final long LONGEST_PAUSE_MILLIS = 50;

    private final Class<?> beanClass;
    private final Method method;
    private final ExpiryNames names;
    private final ExpirySignature signature;
    private final Method invocable;
    private final Supplier<Object> bean;

    /**
     * Checks the method.
     *
     * @param beanClass the user class of the bean
     * @param method the method of that class
     * @param settings the annotation
     * @param resolver resolves placeholders
     * @param exposedClass the class of the bean as injected, which may be a proxy
     * @param bean supplies the bean
     * @throws InvalidExpiryHandlerException if the method cannot be called
     */
    ExpiryMethod(
            Class<?> beanClass,
            Method method,
            OnExpiry settings,
            Function<String, @Nullable String> resolver,
            Class<?> exposedClass,
            Supplier<Object> bean) {
        this.beanClass = beanClass;
        this.method = method;
        this.bean = bean;
        this.names = names(settings, resolver);
        requireNames();
        requireNotAsync();
        this.signature = ExpirySignature.of(beanClass, method);
        this.invocable = invocable(exposedClass);
    }

    private ExpiryNames names(OnExpiry settings, Function<String, @Nullable String> resolver) {
        try {
            return ExpiryNames.of(settings, resolver);
        } catch (IllegalArgumentException e) {
            throw refusal("a placeholder cannot be resolved: " + e.getMessage(), "Set the property", e);
        }
    }

    private void requireNames() {
        if (names.subscriber().isEmpty()) {
            throw refusal(
                    "its subscriber has no name",
                    "Give it a unique name that stays the same, because it is stored with the data",
                    null);
        }
        if (names.hasGroup() == names.hasPrefix()) {
            throw refusal(
                    names.hasGroup() ? "it names both a group and a prefix" : "it names no group",
                    "Set either 'group', or 'prefix' for all groups whose names start with it",
                    null);
        }
        if (names.hasPattern()) {
            requirePattern();
        }
    }

    private void requirePattern() {
        if (!names.scope().isEmpty()) {
            throw refusal(
                    "it names a scope, and a pattern selects groups of all scopes",
                    "Leave out 'scope', or set 'prefix' to \"\" for all groups of the scope",
                    null);
        }
        try {
            GroupPattern unused = new GroupPattern(names.group());
        } catch (IllegalArgumentException e) {
            throw refusal("its group is invalid: " + e.getMessage(), "Correct the annotation", e);
        }
    }

    private void requireNotAsync() {
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(beanClass, Async.class)) {
            throw refusal(
                    "it is @Async: it would return before its work is done, and a crash would lose that work",
                    "Remove @Async; the store calls handlers on several threads of its own",
                    null);
        }
    }

    private Method invocable(Class<?> exposedClass) {
        if (SpringProxy.class.isAssignableFrom(exposedClass) && Modifier.isFinal(method.getModifiers())) {
            throw refusal(
                    "the bean has a proxy, and a final method of a proxy runs without the bean's fields",
                    "Make the method not final",
                    null);
        }
        try {
            Method found = AopUtils.selectInvocableMethod(method, exposedClass);
            ReflectionUtils.makeAccessible(found);
            return found;
        } catch (IllegalStateException e) {
            throw refusal(
                    "the bean has a proxy, which does not have the method",
                    "Make the method not private; if the proxy implements an interface of the bean, declare it there",
                    e);
        }
    }

    /** Returns the name of the subscriber in the store. */
    String subscriber() {
        return names.full();
    }

    String description() {
        return InvalidExpiryHandlerException.describe(beanClass, method);
    }

    InvalidExpiryHandlerException refusal(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidExpiryHandlerException(beanClass, method, problem, remedy, cause);
    }

    /** Subscribes the method. Returns null for a mock in a test, which answers null. */
    @Nullable
    Subscription subscribe(Store store, ExpiryCalls calls) {
        try {
            return subscribe(store, signature.valueType(), calls);
        } catch (IllegalArgumentException e) {
            throw refusal("a name is invalid: " + e.getMessage(), "Correct the annotation", e);
        } catch (MissingCodecException e) {
            throw refusal(
                    "there is no codec for " + signature.valueType().getTypeName(),
                    "Add the dependency spring-boot-starter-jackson, or a CodecFactory bean with a codec for the class",
                    e);
        } catch (CodecException e) {
            throw refusal(
                    "its values cannot be read: " + e.getMessage(),
                    "Take another type, or an ExpiredEntry<Void> if the method needs no value",
                    e);
        } catch (IllegalStateException e) {
            throw refusal(
                    "its subscriber '" + subscriber() + "' already has a handler",
                    "Close that subscription first, or use another subscriber",
                    e);
        }
    }

    private @Nullable Subscription subscribe(Store store, Type type, ExpiryCalls calls) {
        return type instanceof Class<?> plain
                ? subscribe(store, plain, calls)
                : subscribe(store, TypeRef.of(type), calls);
    }

    private <V> @Nullable Subscription subscribe(Store store, Class<V> type, ExpiryCalls calls) {
        ExpiryHandler<V> handler = entry -> handle(entry, calls);
        if (names.hasPattern()) {
            return store.onExpiredMatching(names.subscriber(), new GroupPattern(names.group()), type, handler);
        }
        ExpiryEvents events = events(store);
        if (events == null) {
            return null;
        }
        return names.hasGroup()
                ? events.onExpired(names.subscriber(), names.group(), type, handler)
                : events.onExpiredPrefix(names.subscriber(), names.prefix(), type, handler);
    }

    private <V> @Nullable Subscription subscribe(Store store, TypeRef<V> type, ExpiryCalls calls) {
        ExpiryHandler<V> handler = entry -> handle(entry, calls);
        if (names.hasPattern()) {
            return store.onExpiredMatching(names.subscriber(), new GroupPattern(names.group()), type, handler);
        }
        ExpiryEvents events = events(store);
        if (events == null) {
            return null;
        }
        return names.hasGroup()
                ? events.onExpired(names.subscriber(), names.group(), type, handler)
                : events.onExpiredPrefix(names.subscriber(), names.prefix(), type, handler);
    }

    private @Nullable ExpiryEvents events(Store store) {
        return names.scope().isEmpty() ? store : store.scope(names.scope());
    }

    private void handle(ExpiredEntry<?> entry, ExpiryCalls calls) throws Exception {
        calls.run(names.subscriber(), () -> call(signature.takesEntry() ? entry : entry.value()));
    }

    /**
     * Calls the method. If its transaction conflicts with another one, such as that of another call of the method, it is called again
     * at once: that is no failure of its own, and a longer pause would only let the others go first.
     */
    private void call(Object argument) throws Exception {
        for (int conflicts = 0; ; conflicts++) {
            try {
                callOnce(argument);
                return;
            } catch (RuntimeException e) {
                if (conflicts == CONFLICTS || !isConflict(e)) {
                    throw e;
                }
                Thread.sleep(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_MILLIS));
            }
        }
    }

    /** Also one that was translated for the rest of the application: Spring's transactions may not be on the class path. */
    private static boolean isConflict(RuntimeException failure) {
        return failure instanceof TransactionConflictException
                || failure.getCause() instanceof TransactionConflictException;
    }

    private void callOnce(Object argument) throws Exception {
        try {
            invocable.invoke(bean.get(), argument);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException()); // a dead letter shows the method's exception
        }
    }
}
