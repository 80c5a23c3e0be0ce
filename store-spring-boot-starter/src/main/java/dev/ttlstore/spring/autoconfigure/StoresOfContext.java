package dev.ttlstore.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.context.ApplicationContext;

import dev.ttlstore.Store;

/** Which stores a context takes care of, where contexts have parents. */
final class StoresOfContext {

    private StoresOfContext() {}

    /**
     * Leaves out the stores of contexts above, if something there takes care of them already.
     *
     * @param stores all that can be injected here, by the names of their beans
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
