package dev.ttlstore.spring.expiry;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/**
 * Finds the {@link OnExpiry} methods of beans by their classes, without creating beans, as Spring finds event
 * listeners.
 */
final class ExpiryMethods {

    private static final Logger log = LoggerFactory.getLogger(ExpiryMethods.class);

    private final ConfigurableListableBeanFactory beans;

    ExpiryMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Finds and checks the methods.
     *
     * @return the methods of all beans
     * @throws InvalidExpiryHandlerException if a method cannot be called, or two methods have the same subscriber
     */
    List<ExpiryMethod> find() {
        List<ExpiryMethod> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) { // its proxy is a bean as well
                addMethodsOf(name, found);
            }
        }
        requireDistinct(found);
        return found;
    }

    private void addMethodsOf(String name, List<ExpiryMethod> found) {
        Class<?> beanClass = beanClass(name);
        if (beanClass == null) {
            return;
        }
        annotated(beanClass).forEach((method, settings) -> {
            Class<?> exposed = beans.getType(name);
            found.add(new ExpiryMethod(
                    beanClass,
                    method,
                    settings,
                    beans::resolveEmbeddedValue,
                    exposed == null ? beanClass : exposed,
                    () -> beans.getBean(name)));
        });
    }

    private @Nullable Class<?> beanClass(String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type != null && ScopedObject.class.isAssignableFrom(type)
                    ? AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(name))
                    : type;
        } catch (RuntimeException | LinkageError e) { // a lazy bean that cannot be created
            log.debug("The class of the bean '{}' is unknown, so it is not searched for @OnExpiry", name, e);
            return null;
        }
    }

    private static boolean isCandidate(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, OnExpiry.class) && !isOfSpring(type);
    }

    /**
     * Returns whether a class belongs to Spring. Most beans do, and searching them takes time at each start.
     * Components in its packages are searched, because its samples are components.
     */
    private static boolean isOfSpring(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !AnnotatedElementUtils.isAnnotated(ClassUtils.getUserClass(type), Component.class);
    }

    /** Returns the annotated methods of a class, including inherited ones. */
    static Map<Method, OnExpiry> annotated(Class<?> type) {
        if (!isCandidate(type)) {
            return Map.of();
        }
        try {
            MethodIntrospector.MetadataLookup<OnExpiry> lookup =
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, OnExpiry.class);
            return MethodIntrospector.selectMethods(type, lookup);
        } catch (RuntimeException | LinkageError e) { // a signature with a missing class
            log.debug("The methods of {} cannot be read, so it is not searched for @OnExpiry", type, e);
            return Map.of();
        }
    }

    private static void requireDistinct(List<ExpiryMethod> methods) {
        Map<String, ExpiryMethod> known = new HashMap<>();
        for (ExpiryMethod method : methods) {
            ExpiryMethod other = known.putIfAbsent(method.subscriber(), method);
            if (other != null) {
                throw method.refusal(
                        "its subscriber '" + method.subscriber() + "' is also the subscriber of " + other.description(),
                        "Use a different subscriber for each method, and for each bean of the class",
                        null);
            }
        }
    }
}
