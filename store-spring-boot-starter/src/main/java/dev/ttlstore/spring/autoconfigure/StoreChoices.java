package dev.ttlstore.spring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Logs at start-up what the starter leaves to the application's own beans, and how to change that. */
final class StoreChoices implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(StoreChoices.class);

    /**
     * The name of a bean that would also report as 'store' in the health endpoint, and so replaces the store's
     * health.
     */
    private static final String OTHER_HEALTH = "storeHealthIndicator";

    private final ConfigurableListableBeanFactory beans;

    StoreChoices(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        StoresOfContext stores = StoresOfContext.in(beans);
        if (!stores.own().isEmpty()) { // otherwise the parent context has logged it
            if (!stores.own().contains(StoreAutoConfiguration.STORE)) {
                log.info(
                        "The application declares its own store, {}, so the starter opens none. 'store.path' and the"
                                + " other properties that configure a store have no effect",
                        stores.own());
            }
            if (stores.caredFor().size() > 1) {
                tellOfSeveral(stores.caredFor(), stores.chosen());
            }
            tellOfOthers(stores);
        }
        if (beans.containsBean(OTHER_HEALTH)) {
            log.info("The bean '{}' replaces the health of the store", OTHER_HEALTH);
        }
    }

    private static void tellOfSeveral(List<String> stores, @Nullable String chosen) {
        if (chosen != null) {
            log.info(
                    "Of the stores {}, '{}' is used for the endpoint, the groups and scopes in properties, and"
                            + " @OnExpiry methods. Each store is purged and monitored, and publishes its events",
                    stores,
                    chosen);
        } else {
            log.warn(
                    "There are several stores, {}, and none is primary. Each is purged and monitored, and publishes"
                            + " its events. There is no endpoint, and no bean for a group or scope in properties. To"
                            + " choose one, mark it as @Primary, or the others as @Fallback or @Bean(defaultCandidate"
                            + " = false)",
                    stores);
        }
    }

    private static void tellOfOthers(StoresOfContext stores) {
        if (!stores.leftLazy().isEmpty()) {
            log.info(
                    "The starter ignores the stores {}, because they are lazy and there are others: it does not purge"
                            + " or monitor them and publishes none of their events, even after they are opened. To"
                            + " change that, remove @Lazy; or set 'purgeInterval' of the builder, so that they purge"
                            + " themselves",
                    stores.leftLazy());
        }
        if (!stores.hidden().isEmpty()) {
            log.info(
                    "The starter ignores the stores {}, because they are not singletons or not candidates for"
                            + " injection: it does not purge or monitor them and publishes none of their events. To"
                            + " include them, but inject them by qualifier only, use @Bean(defaultCandidate = false)",
                    stores.hidden());
        }
    }
}
