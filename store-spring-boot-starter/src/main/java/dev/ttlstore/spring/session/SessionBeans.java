package dev.ttlstore.spring.session;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.DestructionCallbackBindingListener;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The ends of beans of sessions, such as their methods with {@code @PreDestroy}. Spring keeps one as an attribute beside the bean, and
 * runs it when that is removed. The store has a mark in its place, because bytes must not say what to run. When the session is read, the
 * end is made again by the factory of the beans. Thread-safe.
 */
final class SessionBeans {

    private static final String PREFIX = ServletRequestAttributes.DESTRUCTION_CALLBACK_NAME_PREFIX;

    private final @Nullable ConfigurableListableBeanFactory beans;

    SessionBeans(@Nullable ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns whether an attribute is the end of a bean. */
    static boolean isEnd(String attribute, @Nullable Object value) {
        return attribute.startsWith(PREFIX) && value instanceof DestructionCallbackBindingListener;
    }

    /** Returns what is stored of the end of a bean, which no value has. */
    static byte[] mark() {
        return new byte[0];
    }

    static boolean isMark(String attribute, byte[] stored) {
        return stored.length == 0 && attribute.startsWith(PREFIX);
    }

    /** Adds the ends of those beans that are still there. */
    void addEnds(Set<String> marked, Map<String, Object> attributes) {
        for (String attribute : marked) {
            String name = attribute.substring(PREFIX.length());
            Object bean = attributes.get(name);
            if (bean != null && beans != null && isOfSessions(beans, name)) {
                attributes.put(attribute, new DestructionCallbackBindingListener(() -> beans.destroyBean(name, bean)));
            }
        }
    }

    private static boolean isOfSessions(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && WebApplicationContext.SCOPE_SESSION.equals(
                        beans.getMergedBeanDefinition(name).getScope());
    }
}
