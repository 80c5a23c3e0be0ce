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

import dev.ttlstore.Store;

/**
 * The {@code Store} beans that a context can see, in contexts above as well, and which of them the starter takes care of. It
 * does of those that Spring Boot would take care of, also where they are injected by their qualifier only.
 */
final class StoresOfContext {

    private final List<StoreBean> stores;

    /** The store that is injected where nobody says which; null if Spring does not know either. */
    private final @Nullable StoreBean chosen;

    private StoresOfContext(List<StoreBean> stores) {
        this.stores = stores;
        this.chosen = chosen(stores.stream().filter(StoreBean::isCandidate).toList());
    }

    /**
     * How a store is declared.
     *
     * @param isOwn whether it is in the context itself
     * @param isHidden whether it is not meant for others, as the target of a proxy is not, or there is not one of it
     * @param isCandidate whether it can be injected where nobody says which
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
            if (definition == null) { // it was registered as it is
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

    /** All stores that the starter takes care of in a context, by the names of their beans. */
    static Map<String, Store> all(ConfigurableApplicationContext context) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        Map<String, Store> stores = new LinkedHashMap<>();
        in(beans).caredFor().forEach(name -> stores.put(name, beans.getBean(name, Store.class)));
        return stores;
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

    private static @Nullable StoreBean chosen(List<StoreBean> candidates) {
        List<StoreBean> primary =
                candidates.stream().filter(StoreBean::isPrimary).toList();
        List<StoreBean> plain =
                candidates.stream().filter(store -> !store.isFallback()).toList();
        List<StoreBean> choice = candidates.size() == 1 ? candidates : primary.isEmpty() ? plain : primary;
        return choice.size() == 1 ? choice.get(0) : null;
    }

    /** The stores of the context itself. */
    List<String> own() {
        return names(StoreBean::isOwn);
    }

    List<String> caredFor() {
        return names(store -> !store.isHidden() && !isLeftLazy(store));
    }

    /** Those that the starter leaves alone because they are not meant for others. */
    List<String> hidden() {
        return names(StoreBean::isHidden);
    }

    /** Those that the starter must not open. */
    List<String> leftLazy() {
        return names(store -> !store.isHidden() && isLeftLazy(store));
    }

    /** The store of the endpoint, and of all else for which there has to be one; null if there is none. */
    @Nullable
    String chosen() {
        return chosen == null ? null : chosen.name();
    }

    /** The chosen one is opened in any case, as for the endpoint. */
    private boolean isLeftLazy(StoreBean store) {
        return store.isLazy() && !store.equals(chosen);
    }

    private List<String> names(Predicate<StoreBean> choice) {
        return stores.stream().filter(choice).map(StoreBean::name).toList();
    }
}
