package dev.ttlstore.jcache;

import java.util.function.Supplier;

import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;

/** The present configuration of a cache, for management. */
final class ConfigurationBean implements CacheMXBean {

    private final Supplier<CompleteConfiguration<?, ?>> present;

    /**
     * Creates the bean.
     *
     * @param present returns the configuration as it is now
     */
    ConfigurationBean(Supplier<CompleteConfiguration<?, ?>> present) {
        this.present = present;
    }

    private CompleteConfiguration<?, ?> configuration() {
        return present.get();
    }

    @Override
    public String getKeyType() {
        return configuration().getKeyType().getName();
    }

    @Override
    public String getValueType() {
        return configuration().getValueType().getName();
    }

    @Override
    public boolean isReadThrough() {
        return configuration().isReadThrough();
    }

    @Override
    public boolean isWriteThrough() {
        return configuration().isWriteThrough();
    }

    @Override
    public boolean isStoreByValue() {
        return configuration().isStoreByValue();
    }

    @Override
    public boolean isStatisticsEnabled() {
        return configuration().isStatisticsEnabled();
    }

    @Override
    public boolean isManagementEnabled() {
        return configuration().isManagementEnabled();
    }
}
