package dev.ttlstore.spring.observation;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;

import io.micrometer.observation.ObservationRegistry;

/**
 * Puts proxies in front of the stores of a context, through which their calls are observed. Stores are created before
 * all other beans, and handlers of observations may need a store, so the registry is looked up when all beans are there.
 * Earlier calls are not observed.
 */
final class ObservedStores implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ObservedStores.class);

    private final ObjectProvider<ObservationRegistry> registries;
    private final ObjectProvider<StoreObservationConvention> conventions;
    private volatile CallObserver.@Nullable Observations observations;

    ObservedStores(
            ObjectProvider<ObservationRegistry> registries, ObjectProvider<StoreObservationConvention> conventions) {
        this.registries = registries;
        this.conventions = conventions;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Store store && !StoresOfContext.isMock(store)) {
            Set<String> listed = Set.copyOf(store.activity().groups().keySet());
            return ObservedApi.observed(store, new CallObserver(beanName, listed, () -> observations));
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        ObservationRegistry registry = registries.getIfUnique();
        if (registry == null) {
            log.warn("The property 'store.observations.enabled' has no effect, because there is no ObservationRegistry"
                    + " bean, or several; add 'spring-boot-starter-actuator', or make one of them primary");
            return;
        }
        observations = new CallObserver.Observations(registry, conventions.getIfUnique());
    }
}
