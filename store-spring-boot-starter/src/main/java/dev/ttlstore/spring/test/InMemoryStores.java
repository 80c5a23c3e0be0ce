package dev.ttlstore.spring.test;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.spring.autoconfigure.BuilderSettings;
import dev.ttlstore.spring.autoconfigure.DeclaredScopes;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer;
import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.test.AutoConfigureTestStore.Replace;

/**
 * Opens stores in memory in place of the application's stores. It replaces them when they are about to be created,
 * and does not change their definitions. So names, qualifiers and conditions are those of the application.
 *
 * <p>The context closes only what it has created, so this class closes the stores. It does so last, because it is
 * among the first beans of the context.
 */
final class InMemoryStores implements InstantiationAwareBeanPostProcessor, PriorityOrdered, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(InMemoryStores.class);

    private final ConfigurableListableBeanFactory beans;
    private final Replace replace;
    private final Queue<Store> opened = new ConcurrentLinkedQueue<>();

    InMemoryStores(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.replace = Replace.in(environment);
    }

    /** Runs before other post-processors, which may need a store. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        if (beanClass != Store.class || !isReplaced(beanName)) {
            return null;
        }
        log.info("The store '{}' is in memory for this test", beanName);
        return open();
    }

    private boolean isReplaced(String beanName) {
        return switch (replace) {
            case ANY -> true;
            case AUTO_CONFIGURED ->
                StoreAutoConfiguration.class
                        .getName()
                        .equals(beans.getMergedBeanDefinition(beanName).getFactoryBeanName());
            case NONE -> false;
        };
    }

    private Store open() {
        StoreProperties properties = beans.getBean(StoreProperties.class);
        StoreBuilder builder = Store.builder().purgeInterval(Duration.ZERO); // the starter schedules the purge
        BuilderSettings settings = new BuilderSettings(builder);
        settings.apply(properties);
        beans.getBeanProvider(CodecFactory.class).ifAvailable(builder::codecs);
        beans.getBeanProvider(StoreBuilderCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(builder));
        settings.applyEngine(properties.sqlite(), null); // last, so that no customizer puts the store in a file
        Store store = builder.clock(beans.getBean(TestClock.class)).open();
        DeclaredScopes.of(properties.scopes()).applyTo(store);
        opened.add(store);
        return store;
    }

    @Override
    public void destroy() {
        opened.forEach(Store::close);
    }
}
