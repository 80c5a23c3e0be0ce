package dev.ttlstore.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.GroupReads;
import dev.ttlstore.Store;

/**
 * Finds the {@code Store} beans that a context can see, including those of parent contexts, and those that the starter
 * manages. As Spring Boot does, it also manages stores that are injected by qualifier only.
 *
 * @since 0.1
 * @see Store
 */
public final class StoresOfContext {

    private final List<StoreBean> stores;

    /** The store that is injected without a qualifier, or null if Spring cannot choose one either. */
    private final @Nullable StoreBean chosen;

    private StoresOfContext(List<StoreBean> stores) {
        this.stores = stores;
        this.chosen = chosen(stores.stream().filter(StoreBean::isCandidate).toList());
    }

    /**
     * The definition of a store.
     *
     * @param isOwn whether the context itself declares it
     * @param isHidden whether it is not a candidate for injection, as the target of a proxy, or not a singleton
     * @param isCandidate whether it can be injected without a qualifier
     */
    private record StoreBean(
            String name,
            boolean isOwn,
            boolean isHidden,
            boolean isCandidate,
            boolean isPrimary,
            boolean isFallback,
            boolean isLazy) {

        static StoreBean of(String name, ConfigurableListableBeanFactory beans) {
            BeanDefinition definition = definition(name, beans);
            boolean own = beans.containsLocalBean(name);
            if (definition == null) { // registered as an instance
                return new StoreBean(name, own, false, true, false, false, false);
            }
            boolean hidden = !definition.isAutowireCandidate() || !beans.isSingleton(name);
            boolean byQualifierOnly = definition instanceof AbstractBeanDefinition known && !known.isDefaultCandidate();
            return new StoreBean(
                    name,
                    own,
                    hidden,
                    !hidden && !byQualifierOnly,
                    definition.isPrimary(),
                    definition.isFallback(),
                    definition.isLazyInit());
        }

        private static @Nullable BeanDefinition definition(String name, ConfigurableListableBeanFactory beans) {
            BeanFactory factory = beans;
            while (factory instanceof ConfigurableListableBeanFactory here && !here.containsLocalBean(name)) {
                factory = here.getParentBeanFactory();
            }
            return factory instanceof ConfigurableListableBeanFactory here && here.containsBeanDefinition(name)
                    ? here.getMergedBeanDefinition(name)
                    : null;
        }
    }

    static StoresOfContext in(ConfigurableListableBeanFactory beans) {
        return new StoresOfContext(
                Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Store.class, true, false))
                        .map(name -> StoreBean.of(name, beans))
                        .toList());
    }

    /**
     * Returns all stores that the starter manages in a context.
     *
     * @param context the context
     * @return the stores, by the names of their beans
     */
    public static Map<String, Store> all(ConfigurableApplicationContext context) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        Map<String, Store> stores = new LinkedHashMap<>();
        in(beans).caredFor().forEach(name -> stores.put(name, beans.getBean(name, Store.class)));
        return stores;
    }

    /**
     * Excludes the stores of parent contexts, if a parent context has a worker for them.
     *
     * @param worker the class of the worker
     * @param context the context
     * @param stores the stores that the context can see, by the names of their beans
     * @return the other stores
     */
    public static Map<String, Store> without(Class<?> worker, ApplicationContext context, Map<String, Store> stores) {
        ApplicationContext parent = context.getParent();
        if (parent == null || parent.getBeanProvider(worker).stream().findAny().isEmpty()) {
            return stores;
        }
        Map<String, Store> own = new LinkedHashMap<>(stores);
        own.keySet().removeIf(name -> !context.containsLocalBean(name));
        return own;
    }

    /**
     * Tests whether a store is a mock in a test, which answers null, or, with deep stubs, with mocks whose names are
     * null.
     *
     * @param store the store
     * @return whether it is one
     */
    public static boolean isMock(Store store) {
        if (store.activity() == null) {
            return true;
        }
        GroupReads<String> group = store.group("mock");
        return group == null || group.name() == null;
    }

    private static @Nullable StoreBean chosen(List<StoreBean> candidates) {
        List<StoreBean> primary =
                candidates.stream().filter(StoreBean::isPrimary).toList();
        List<StoreBean> plain =
                candidates.stream().filter(store -> !store.isFallback()).toList();
        List<StoreBean> choice = candidates.size() == 1 ? candidates : primary.isEmpty() ? plain : primary;
        return choice.size() == 1 ? choice.get(0) : null;
    }

    /** Returns the stores that the context itself declares. */
    List<String> own() {
        return names(StoreBean::isOwn);
    }

    List<String> caredFor() {
        return names(store -> !store.isHidden() && !isLeftLazy(store));
    }

    /** Returns the stores that the starter ignores because they are not meant for injection. */
    List<String> hidden() {
        return names(StoreBean::isHidden);
    }

    /** Returns the stores that the starter must not open. */
    List<String> leftLazy() {
        return names(store -> !store.isHidden() && isLeftLazy(store));
    }

    /**
     * Returns the store of the endpoint and of everything else that needs exactly one store, or null if there is
     * none.
     */
    @Nullable
    String chosen() {
        return chosen == null ? null : chosen.name();
    }

    /**
     * Returns whether the starter ignores a lazy store. It opens the chosen one in any case, for example for the
     * endpoint.
     */
    private boolean isLeftLazy(StoreBean store) {
        return store.isLazy() && !store.equals(chosen);
    }

    private List<String> names(Predicate<StoreBean> choice) {
        return stores.stream().filter(choice).map(StoreBean::name).toList();
    }
}
