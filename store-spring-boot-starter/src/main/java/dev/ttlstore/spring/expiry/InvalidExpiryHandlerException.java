package dev.ttlstore.spring.expiry;

import java.io.Serial;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the signature or the settings of a method with {@link OnExpiry} break its rules.
 *
 * @since 0.1
 * @see OnExpiry
 */
public final class InvalidExpiryHandlerException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String handler;
    private final String problem;
    private final String remedy;

    InvalidExpiryHandlerException(
            Class<?> beanClass, Method method, String problem, String remedy, @Nullable Throwable cause) {
        this(describe(beanClass, method), problem, remedy, cause);
    }

    private InvalidExpiryHandlerException(String handler, String problem, String remedy, @Nullable Throwable cause) {
        super(
                "The @OnExpiry method " + handler + " cannot be called when entries expire: " + problem + ". " + remedy
                        + ".",
                cause);
        this.handler = handler;
        this.problem = problem;
        this.remedy = remedy;
    }

    static String describe(Class<?> beanClass, Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
        return beanClass.getName() + "." + method.getName() + parameters;
    }

    /**
     * Returns the method.
     *
     * @return the bean's class, the method's name and its parameters
     */
    public String handler() {
        return handler;
    }

    /**
     * Returns what is wrong with the method.
     *
     * @return a clause
     */
    public String problem() {
        return problem;
    }

    /**
     * Returns what to do.
     *
     * @return a sentence without its full stop
     */
    public String remedy() {
        return remedy;
    }
}
