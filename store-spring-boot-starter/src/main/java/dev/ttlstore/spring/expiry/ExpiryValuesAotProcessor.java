package dev.ttlstore.spring.expiry;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Registers hints for the values of {@link OnExpiry} methods, so that native images can read them if they are JSON.
 * The annotation registers the methods themselves. This needs the class of the bean, because a superclass
 * may leave the type of the values open.
 */
final class ExpiryValuesAotProcessor implements BeanRegistrationAotProcessor {

    /**
     * Finds the value types of a bean's methods.
     *
     * @throws InvalidExpiryHandlerException if a method cannot be called; the start would fail in the same way
     */
    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> beanClass = bean.getBeanClass();
        Type[] values = ExpiryMethods.annotated(beanClass).keySet().stream()
                .map(method -> element(ExpirySignature.of(beanClass, method).valueType()))
                .toArray(Type[]::new);
        if (values.length == 0) {
            return null;
        }
        return (generation, code) -> new BindingReflectionHintsRegistrar()
                .registerReflectionHints(generation.getRuntimeHints().reflection(), values);
    }

    /** Returns the elements' type of an array of a generic type, whose arguments Spring does not find. */
    private static Type element(Type type) {
        return type instanceof GenericArrayType array ? element(array.getGenericComponentType()) : type;
    }
}
