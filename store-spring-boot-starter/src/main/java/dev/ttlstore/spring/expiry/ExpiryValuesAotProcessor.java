package dev.ttlstore.spring.expiry;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Has native images read the values that {@link OnExpiry} methods take, which may be JSON. The methods themselves are taken
 * care of by the annotation; but only the class of the bean tells what the values are, where a superclass leaves it open.
 */
final class ExpiryValuesAotProcessor implements BeanRegistrationAotProcessor {

    /**
     * Finds the values of a bean's methods.
     *
     * @throws InvalidExpiryHandlerException if one cannot be called; the start would fail just so
     */
    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> beanClass = bean.getBeanClass();
        Type[] values = ExpiryMethods.annotated(beanClass).keySet().stream()
                .map(method -> ExpirySignature.of(beanClass, method).valueType())
                .toArray(Type[]::new);
        if (values.length == 0) {
            return null;
        }
        return (generation, code) -> new BindingReflectionHintsRegistrar()
                .registerReflectionHints(generation.getRuntimeHints().reflection(), values);
    }
}
