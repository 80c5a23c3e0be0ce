package dev.ttlstore.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Store;

/** Which stores a context takes care of, where contexts have parents. */
final class StoresOfContext {

    private StoresOfContext() {}

    /**
     * All stores that a context can see, by the names of their beans. One that is to be lazy is left out, or it would be
     * opened, unless it is the only one or the primary one.
     */
    static Map<String, Store> all(ConfigurableApplicationContext context) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        Map<String, Store> stores = new LinkedHashMap<>();
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Store.class, true, false);
        for (String name : names) {
            if (names.length == 1 || !isLeftLazy(beans, name)) {
                stores.put(name, beans.getBean(name, Store.class));
            }
        }
        return stores;
    }

    static boolean isLeftLazy(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && beans.getBeanDefinition(name).isLazyInit()
                && !beans.getBeanDefinition(name).isPrimary();
    }

    /**
     * Leaves out the stores of contexts above, if something there takes care of them already.
     *
     * @param stores those that the context can see, by the names of their beans
     * @param worker the class of what takes care of stores
     */
    static Map<String, Store> without(Class<?> worker, ApplicationContext context, Map<String, Store> stores) {
        ApplicationContext parent = context.getParent();
        if (parent == null || parent.getBeanProvider(worker).stream().findAny().isEmpty()) {
            return stores;
        }
        Map<String, Store> own = new LinkedHashMap<>(stores);
        own.keySet().removeIf(name -> !context.containsLocalBean(name));
        return own;
    }
}
