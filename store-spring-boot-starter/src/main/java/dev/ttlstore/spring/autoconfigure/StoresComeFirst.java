package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.BeanFactoryInitializer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreException;

/**
 * Creates the stores before all other singletons. Spring destroys beans in the reverse order of their creation,
 * unless it knows that one depends on another. It does not know of a bean that gets the store later, from an {@code
 * ObjectProvider} or the context.
 *
 * <p>If the store is to be copied, that comes before all of them, and nothing comes after it.
 */
final class StoresComeFirst implements BeanFactoryInitializer<ConfigurableListableBeanFactory> {

    private final Environment environment;

    StoresComeFirst(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void initialize(ConfigurableListableBeanFactory beans) {
        if (StoreCopyCommand.isAsked(environment)) {
            copy(beans);
        }
        for (String name : beans.getBeanNamesForType(Store.class, false, false)) {
            if (!isLazy(beans, name)) {
                beans.getBean(name);
            }
        }
    }

    private static void copy(ConfigurableListableBeanFactory beans) {
        if (!beans.containsBeanDefinition(StoreAutoConfiguration.STORE)) {
            throw new StoreException(
                    "'store.copy-to' copies the store that the properties describe, and the application declares its own",
                    "Copy it in a program: StoreCopy.from(…).to(…).run()",
                    null);
        }
        beans.getBean(StoreAutoConfiguration.COPY, StoreCopyCommand.class).run();
    }

    private static boolean isLazy(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && beans.getBeanDefinition(name).isLazyInit();
    }
}
