package dev.ttlstore.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.function.Supplier;

import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;
import javax.cache.management.CacheStatisticsMXBean;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The beans of a cache in the platform's MBean server. */
final class ManagementBeans {

    private static final Logger log = LoggerFactory.getLogger(ManagementBeans.class);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Bean configuration;
    private final Bean statistics;

    ManagementBeans(URI manager, String cache) {
        this.configuration = new Bean(name("CacheConfiguration", manager, cache));
        this.statistics = new Bean(name("CacheStatistics", manager, cache));
    }

    private static ObjectName name(String type, URI manager, String cache) {
        try {
            return new ObjectName(
                    "javax.cache:type=" + type + ",CacheManager=" + safe(manager.toString()) + ",Cache=" + safe(cache));
        } catch (JMException e) {
            throw new CacheException("The name of a cache does not fit the name of a bean; choose another", e);
        }
    }

    private static String safe(String text) {
        return text.replaceAll("[,:=\n*?\"]", ".");
    }

    /** Shows or hides the configuration, which is asked for each time somebody looks. */
    synchronized void showConfiguration(boolean shown, Supplier<CompleteConfiguration<?, ?>> present) {
        configuration.show(shown ? new ConfigurationBean(present) : null);
    }

    synchronized void showStatistics(boolean shown, CacheStatisticsMXBean counts) {
        statistics.show(shown ? counts : null);
    }

    synchronized void close() {
        configuration.show(null);
        statistics.show(null);
    }

    /** A place for a bean in the server. */
    private final class Bean {

        private final ObjectName name;
        private boolean shown;

        private Bean(ObjectName name) {
            this.name = name;
        }

        /** Shows a bean, unless there is one; hides it if this is null. */
        private void show(@Nullable Object bean) {
            if (bean != null && !shown) {
                shown = register(bean, name);
            } else if (bean == null && shown) {
                shown = false;
                unregister(name);
            }
        }
    }

    /** Returns whether the bean is registered, which it is not if another manager has registered one of this name. */
    private boolean register(Object bean, ObjectName name) {
        try {
            if (server.isRegistered(name)) {
                log.warn("There is a bean '{}' of another manager already, so this cache has none", name);
                return false;
            }
            server.registerMBean(bean, name);
            return true;
        } catch (JMException e) {
            throw new CacheException("The bean '" + name + "' could not be registered", e);
        }
    }

    private void unregister(ObjectName name) {
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            log.debug("The bean '{}' was removed already", name);
        } catch (JMException e) {
            throw new CacheException("The bean '" + name + "' could not be removed", e);
        }
    }

    /** The present configuration of a cache, for management. */
    private record ConfigurationBean(Supplier<CompleteConfiguration<?, ?>> present) implements CacheMXBean {

        @Override
        public String getKeyType() {
            return present.get().getKeyType().getName();
        }

        @Override
        public String getValueType() {
            return present.get().getValueType().getName();
        }

        @Override
        public boolean isReadThrough() {
            return present.get().isReadThrough();
        }

        @Override
        public boolean isWriteThrough() {
            return present.get().isWriteThrough();
        }

        @Override
        public boolean isStoreByValue() {
            return present.get().isStoreByValue();
        }

        @Override
        public boolean isStatisticsEnabled() {
            return present.get().isStatisticsEnabled();
        }

        @Override
        public boolean isManagementEnabled() {
            return present.get().isManagementEnabled();
        }
    }
}
