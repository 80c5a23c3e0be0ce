package dev.ttlstore.spring.test;

import java.time.InstantSource;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Makes the {@link TestClock} the only primary clock. With two clocks, parts of a test would disagree on what has
 * expired.
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
