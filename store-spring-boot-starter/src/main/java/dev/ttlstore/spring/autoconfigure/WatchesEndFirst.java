package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import dev.ttlstore.Store;

/**
 * Ends the watches of all stores when their context begins to close. A request that reads a watch until its end, such as
 * server-sent events, would otherwise go on until the store is closed, and the web server would wait for it before.
 */
final class WatchesEndFirst implements ApplicationListener<ContextClosedEvent> {

    private final ApplicationContext context;
    private final ConfigurableListableBeanFactory beans;

    WatchesEndFirst(ApplicationContext context, ConfigurableListableBeanFactory beans) {
        this.context = context;
        this.beans = beans;
    }

    /** Also called when a child context closes, in which the stores go on. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() != context) {
            return;
        }
        for (String name : beans.getBeanNamesForType(Store.class, true, false)) {
            if (beans.containsSingleton(name)) { // no store is created only for this
                beans.getBean(name, Store.class).closeWatches();
            }
        }
    }
}
