package dev.ttlstore.spring.expiry;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.WildcardType;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import dev.ttlstore.expiry.ExpiredEntry;

/**
 * What a method takes when an entry expires.
 *
 * @param valueType the class of the values; {@link Void} if it takes the entry without its value
 * @param takesEntry whether it takes the entry, and not the value alone
 */
record ExpirySignature(Class<?> valueType, boolean takesEntry) {

    private static final String TAKE_ONE =
            "Let it take one parameter: an ExpiredEntry of the value's class, the value alone, or, if it needs none, an"
                    + " ExpiredEntry<Void>";

    static ExpirySignature of(Class<?> beanClass, Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            throw refusal(beanClass, method, "it is static", "Make it a method of the bean");
        }
        if (method.getReturnType() != void.class) {
            throw refusal(
                    beanClass,
                    method,
                    "it returns a " + method.getReturnType().getSimpleName() + ", which nobody gets",
                    "Let it return nothing, and throw when an expiry could not be handled");
        }
        if (method.getParameterCount() != 1) {
            throw refusal(beanClass, method, "it has " + method.getParameterCount() + " parameters", TAKE_ONE);
        }
        ResolvableType parameter = ResolvableType.forMethodParameter(method, 0, beanClass);
        boolean takesEntry = parameter.resolve() == ExpiredEntry.class;
        ResolvableType value = takesEntry ? parameter.getGeneric() : parameter;
        Class<?> type = value.getType() instanceof WildcardType ? null : value.resolve();
        if (type == null) {
            throw refusal(beanClass, method, "its parameter does not say of which class the values are", TAKE_ONE);
        }
        if (type == Void.class && !takesEntry) {
            throw refusal(beanClass, method, "its parameter is a Void, which has no value", TAKE_ONE);
        }
        requirePlain(beanClass, method, value);
        return new ExpirySignature(ClassUtils.resolvePrimitiveIfNecessary(type), takesEntry);
    }

    /** Codecs are found by class, and one for a list does not know of what. */
    private static void requirePlain(Class<?> beanClass, Method method, ResolvableType value) {
        ResolvableType component = value;
        while (component.isArray()) {
            component = component.getComponentType();
        }
        if (component.hasGenerics()) {
            throw refusal(
                    beanClass,
                    method,
                    "its values are of a generic type, " + value + ", for which there are no codecs",
                    "Give the values a class of their own, such as a record with a component of that type");
        }
    }

    private static InvalidExpiryHandlerException refusal(
            Class<?> beanClass, Method method, String problem, String remedy) {
        return new InvalidExpiryHandlerException(beanClass, method, problem, remedy, null);
    }
}
