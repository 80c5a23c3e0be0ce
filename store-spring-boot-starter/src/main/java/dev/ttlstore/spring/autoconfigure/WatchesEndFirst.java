package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import dev.ttlstore.Store;

/**
 * Ends the watches of all stores when their context starts to close. Otherwise a request that reads a watch, such as
 * server-sent events, would last until the store is closed. The web server stops before that, and would wait for the
 * request.
 */
final class WatchesEndFirst implements ApplicationListener<ContextClosedEvent> {

    private final ApplicationContext context;
    private final ConfigurableListableBeanFactory beans;

    WatchesEndFirst(ApplicationContext context, ConfigurableListableBeanFactory beans) {
        this.context = context;
        this.beans = beans;
    }

    /** Ignores the close of a child context, in which the stores stay open. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() != context) {
            return;
        }
        for (String name : beans.getBeanNamesForType(Store.class, true, false)) {
            if (beans.containsSingleton(name)) { // creates no store for this
                beans.getBean(name, Store.class).closeWatches();
            }
        }
    }
}
