package dev.ttlstore.spring.autoconfigure;

import java.util.Arrays;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.ttlstore.Store;

/** Says in the log at the start what the starter leaves out because of the application's own beans, and how to choose. */
final class StoreChoices implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(StoreChoices.class);

    /** The health of the store is 'store', and so is that of a bean with this name, whatever it is about. */
    private static final String OTHER_HEALTH = "storeHealthIndicator";

    private final ConfigurableListableBeanFactory beans;

    StoreChoices(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<String> stores = Arrays.asList(beans.getBeanNamesForType(Store.class, false, false));
        if (!stores.isEmpty() && !stores.contains(StoreAutoConfiguration.STORE)) {
            log.info(
                    "The application has a store of its own, {}, so the starter opens none: 'store.path' and the other"
                            + " properties that set up a store have no effect",
                    stores);
        }
        if (stores.size() > 1) {
            tellOfSeveral(stores);
        }
        List<String> lazy = stores.stream()
                .filter(name -> stores.size() > 1 && StoresOfContext.isLeftLazy(beans, name))
                .toList();
        if (!lazy.isEmpty()) {
            log.info(
                    "The stores {} are lazy, so the starter does not purge them and publishes none of their events",
                    lazy);
        }
        if (beans.containsBean(OTHER_HEALTH)) {
            log.info("The bean '{}' takes the place of the store's health", OTHER_HEALTH);
        }
    }

    private void tellOfSeveral(List<String> stores) {
        List<String> primary = stores.stream().filter(this::isPrimary).toList();
        if (primary.size() == 1) {
            log.info(
                    "Of the stores {}, '{}' is the primary one: its are the endpoint, the groups and scopes of properties, and"
                            + " @OnExpiry methods. All are purged and measured, and publish their events",
                    stores,
                    primary.get(0));
        } else {
            log.warn(
                    "There are several stores, {}, and none is the primary one. All are purged and measured, and publish"
                            + " their events. There is no endpoint, and no bean for a group or scope of the properties."
                            + " Mark one as @Primary",
                    stores);
        }
    }

    private boolean isPrimary(String name) {
        return beans.containsBeanDefinition(name)
                && beans.getMergedBeanDefinition(name).isPrimary();
    }
}
