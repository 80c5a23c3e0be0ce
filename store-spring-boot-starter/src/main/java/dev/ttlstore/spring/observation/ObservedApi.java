package dev.ttlstore.spring.observation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetClassAware;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;
import dev.ttlstore.WriteBatch;

/**
 * Makes calls of a store, and of what it hands out, such as its groups, through an observer. There is one proxy for each
 * object, because all these interfaces together have over a hundred methods and a proxy treats them alike. Nothing of
 * this is there unless observations are enabled, so that otherwise they cost nothing.
 */
final class ObservedApi implements InvocationHandler {

    /** The interfaces of the proxies. The first that fits comes first, so special ones come before general ones. */
    static final List<Class<?>> TYPES = List.of(
            Store.class,
            Scope.class,
            Transaction.class,
            LiveKeyspace.class,
            Keyspace.class,
            Counters.class,
            TextGroup.class,
            Group.class,
            AsyncCounters.class,
            AsyncGroup.class,
            WriteBatch.class);

    /** That of the store's interfaces may not know those of Spring. */
    private static final ClassLoader LOADER = ObservedApi.class.getClassLoader();

    private final CallObserver observer;
    private final Object target;

    /** What the full names of groups begin with. */
    private final String prefix;

    /** What the observations of its calls have as their group. */
    private final String group;

    private ObservedApi(CallObserver observer, Object target, String prefix, String group) {
        this.observer = observer;
        this.target = target;
        this.prefix = prefix;
        this.group = group;
    }

    static Store observed(Store store, CallObserver observer) {
        return (Store) new ObservedApi(observer, store, "", CallObserver.NO_GROUP).proxy();
    }

    private Object proxy() {
        return TYPES.stream()
                .filter(type -> type.isInstance(target))
                .findFirst()
                .<Object>map(type -> Proxy.newProxyInstance(LOADER, interfaces(type), this))
                .orElse(target);
    }

    /** Returns the interfaces of a proxy. As of other proxies of Spring, the class of the target can be known. */
    static Class<?>[] interfaces(Class<?> type) {
        return new Class<?>[] {type, TargetClassAware.class};
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == TargetClassAware.class) {
            return target.getClass();
        }
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        ObservedMethod observed = ObservedMethod.of(method);
        if (observed == null) {
            Object answer = call(method, target instanceof WriteBatch ? withOwnGroups(arguments) : arguments);
            return answer == target ? proxy : handedOut(answer, method, arguments);
        }
        return observer.observe(
                observed,
                group(method, arguments),
                () -> call(method, observed.isTransaction() ? withObservedWork(method, arguments) : arguments));
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> target.toString();
        };
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private String group(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName().equals("deleteGroup") && arguments != null
                ? observer.label(prefix + arguments[0])
                : group;
    }

    private @Nullable Object handedOut(
            @Nullable Object answer, Method method, @Nullable Object @Nullable [] arguments) {
        if (answer instanceof Group<?> some) {
            return new ObservedApi(observer, answer, prefix, observer.label(prefix + some.name())).proxy();
        }
        if (answer instanceof Keyspace && method.getName().equals("scope") && arguments != null) {
            return new ObservedApi(observer, answer, arguments[0] + ":", group).proxy();
        }
        return answer == null ? null : new ObservedApi(observer, answer, prefix, group).proxy();
    }

    /** Returns the arguments for a batch, which takes groups of its store, and no proxies of them. */
    private static @Nullable Object @Nullable [] withOwnGroups(@Nullable Object @Nullable [] arguments) {
        return arguments == null
                ? null
                : Stream.<@Nullable Object>of(arguments)
                        .map(argument -> argument instanceof Group<?> group ? targetOf(group) : argument)
                        .toArray();
    }

    private static Object targetOf(Group<?> group) {
        return Proxy.isProxyClass(group.getClass()) && Proxy.getInvocationHandler(group) instanceof ObservedApi observed
                ? observed.target
                : group;
    }

    /** Returns the arguments for a transaction, with work that gets an observed transaction. */
    private @Nullable Object @Nullable [] withObservedWork(Method method, @Nullable Object @Nullable [] arguments) {
        Object work = arguments == null ? null : arguments[0];
        return work == null ? arguments : new Object[] {observedWork(method.getName(), work)};
    }

    @SuppressWarnings("unchecked") // the parameter of the method is of this type
    private Object observedWork(String method, Object work) {
        switch (method) {
            case "transact" -> {
                Function<Transaction, ?> function = (Function<Transaction, ?>) work;
                return (Function<Transaction, ?>) transaction -> function.apply(observed(transaction));
            }
            case "transactWithoutResult" -> {
                Consumer<Transaction> consumer = (Consumer<Transaction>) work;
                return (Consumer<Transaction>) transaction -> consumer.accept(observed(transaction));
            }
            case "transactChecked" -> {
                Transaction.Work<?, ?> checked = (Transaction.Work<?, ?>) work;
                return (Transaction.Work<?, Exception>) transaction -> checked.run(observed(transaction));
            }
            default -> {
                Transaction.Action<?> action = (Transaction.Action<?>) work;
                return (Transaction.Action<Exception>) transaction -> action.run(observed(transaction));
            }
        }
    }

    private Transaction observed(Transaction transaction) {
        return (Transaction) new ObservedApi(observer, transaction, prefix, CallObserver.NO_GROUP).proxy();
    }
}
