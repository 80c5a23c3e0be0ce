package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.BeanFactoryInitializer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.ttlstore.Store;

/**
 * Creates the stores before all other singletons. Spring destroys beans in the reverse order of their creation,
 * unless it knows that one depends on another. It does not know of a bean that gets the store later, from an {@code
 * ObjectProvider} or the context.
 */
final class StoresComeFirst implements BeanFactoryInitializer<ConfigurableListableBeanFactory> {

    @Override
    public void initialize(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(Store.class, false, false)) {
            if (!isLazy(beans, name)) {
                beans.getBean(name);
            }
        }
    }

    private static boolean isLazy(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && beans.getBeanDefinition(name).isLazyInit();
    }
}
