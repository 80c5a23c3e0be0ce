package dev.ttlstore.spring.session;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.DestructionCallbackBindingListener;

/**
 * The ends of beans of sessions, such as their methods with {@code @PreDestroy}. Spring keeps one as an attribute beside the bean, and
 * runs it when that is removed. The store has a mark in its place, because bytes must not say what to run. When the session is read, the
 * end is made again by the factory of the beans. Loaded only where there are servlets. Thread-safe.
 */
final class SessionBeans {

    /** What the names of ends start with, as Spring's class for servlets says it; a literal, so that it is there without that class. */
    static final String END = "org.springframework.web.context.request.ServletRequestAttributes.DESTRUCTION_CALLBACK.";

    private final @Nullable ConfigurableListableBeanFactory beans;

    /** Takes null if there are no beans whose scope is the session. */
    SessionBeans(@Nullable ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns whether an attribute is the end of a bean. */
    static boolean isEnd(String attribute, @Nullable Object value) {
        return attribute.startsWith(END) && value instanceof DestructionCallbackBindingListener;
    }

    /** Adds the ends of those beans that are still there. */
    void addEnds(Set<String> marked, Map<String, Object> attributes) {
        for (String attribute : marked) {
            String name = attribute.substring(END.length());
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
