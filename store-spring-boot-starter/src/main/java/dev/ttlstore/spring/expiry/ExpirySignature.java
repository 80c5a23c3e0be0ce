package dev.ttlstore.spring.expiry;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.values.ValueTypes;

/**
 * The parameter of an {@link OnExpiry} method.
 *
 * @param valueType the type of the values, or {@link Void} if the method takes the entry without its value
 * @param takesEntry whether the method takes the entry instead of the value
 */
record ExpirySignature(Type valueType, boolean takesEntry) {

    private static final String TAKE_ONE =
            "Declare one parameter: an ExpiredEntry of the value's type, the value itself, or, if the method needs no"
                    + " value, an ExpiredEntry<Void>";

    static ExpirySignature of(Class<?> beanClass, Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            throw refusal(beanClass, method, "it is static", "Make it a method of the bean");
        }
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw refusal(
                    beanClass,
                    method,
                    "it is a suspend function: it would return before its work is done",
                    "Make it an ordinary function; to call suspend functions in it, use runBlocking, because the store calls"
                            + " handlers on threads of its own");
        }
        if (method.getReturnType() != void.class) {
            throw refusal(
                    beanClass,
                    method,
                    "it returns a " + method.getReturnType().getSimpleName() + ", which is ignored",
                    "Return void, and throw if an expiry could not be handled");
        }
        if (method.getParameterCount() != 1) {
            throw refusal(beanClass, method, "it has " + method.getParameterCount() + " parameters", TAKE_ONE);
        }
        ResolvableType parameter = ResolvableType.forMethodParameter(method, 0, beanClass);
        boolean takesEntry = parameter.resolve() == ExpiredEntry.class;
        ResolvableType value = takesEntry ? parameter.getGeneric() : parameter;
        Class<?> declared = value.getType() instanceof WildcardType ? null : value.resolve();
        if (declared == null) {
            throw refusal(beanClass, method, "its parameter does not declare the class of the values", TAKE_ONE);
        }
        if (declared == Void.class && !takesEntry) {
            throw refusal(beanClass, method, "its parameter is a Void, which has no value", TAKE_ONE);
        }
        Type type = ValueTypes.of(value);
        if (type == null) {
            throw refusal(
                    beanClass,
                    method,
                    "its values have the generic type " + value + ", which is partly unknown",
                    "Write all its arguments, as in List<Invite>; if one is a type variable, let the bean's class say it");
        }
        return new ExpirySignature(
                type instanceof Class<?> plain ? ClassUtils.resolvePrimitiveIfNecessary(plain) : type, takesEntry);
    }

    private static InvalidExpiryHandlerException refusal(
            Class<?> beanClass, Method method, String problem, String remedy) {
        return new InvalidExpiryHandlerException(beanClass, method, problem, remedy, null);
    }
}
