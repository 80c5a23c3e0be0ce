package dev.ttlstore.spring.test;

import java.time.InstantSource;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Has the {@link TestClock} injected where the application asks for its primary clock: two clocks in one test would be two
 * opinions on what has expired.
 */
final class OnlyPrimaryClock implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(InstantSource.class, true, false)) {
            if (beans.containsBeanDefinition(name) && !beans.isTypeMatch(name, TestClock.class)) {
                beans.getBeanDefinition(name).setPrimary(false);
            }
        }
    }
}
