package dev.ttlstore.spring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

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
        StoresOfContext stores = StoresOfContext.in(beans);
        if (!stores.own().isEmpty()) { // or the context above has said it
            if (!stores.own().contains(StoreAutoConfiguration.STORE)) {
                log.info(
                        "The application has a store of its own, {}, so the starter opens none: 'store.path' and the other"
                                + " properties that set up a store have no effect",
                        stores.own());
            }
            if (stores.caredFor().size() > 1) {
                tellOfSeveral(stores.caredFor(), stores.chosen());
            }
            tellOfOthers(stores);
        }
        if (beans.containsBean(OTHER_HEALTH)) {
            log.info("The bean '{}' takes the place of the store's health", OTHER_HEALTH);
        }
    }

    private static void tellOfSeveral(List<String> stores, @Nullable String chosen) {
        if (chosen != null) {
            log.info(
                    "Of the stores {}, '{}' is the one that has the endpoint, the groups and scopes of properties, and"
                            + " @OnExpiry methods. Each is purged and monitored, and publishes its events",
                    stores,
                    chosen);
        } else {
            log.warn(
                    "There are several stores, {}, and none is the primary one. Each is purged and monitored, and publishes"
                            + " its events. There is no endpoint, and no bean for a group or scope of the properties."
                            + " Mark one as @Primary, or the others as @Fallback or @Bean(defaultCandidate = false)",
                    stores);
        }
    }

    private static void tellOfOthers(StoresOfContext stores) {
        if (!stores.leftLazy().isEmpty()) {
            log.info(
                    "The starter leaves the stores {} alone, which are lazy and beside others: it does not purge or monitor"
                            + " them and publishes none of their events, also when they have been opened. Leave out @Lazy to"
                            + " have all that, or have them purge themselves by 'purgeInterval' of the builder",
                    stores.leftLazy());
        }
        if (!stores.hidden().isEmpty()) {
            log.info(
                    "The starter leaves the stores {} alone, which are no singletons or no candidates for injection: it does"
                            + " not purge or monitor them and publishes none of their events. To have all that, and have them"
                            + " injected by their qualifier only, say @Bean(defaultCandidate = false)",
                    stores.hidden());
        }
    }
}
