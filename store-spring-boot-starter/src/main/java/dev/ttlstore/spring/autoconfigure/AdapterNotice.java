package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Logs at start-up which enabled adapters have no effect because a bean of the application comes first, and that
 * {@code @EnableCaching} is missing. It looks for the definitions that the adapters' configurations would have made, in
 * this context and in those above it.
 */
final class AdapterNotice implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(AdapterNotice.class);

    /** What Spring's caching annotations need: either of these beans. */
    private static final List<String> CACHING = List.of(
            "org.springframework.cache.config.internalCacheAdvisor",
            "org.springframework.cache.config.internalCacheAspect");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (AotDetector.useGeneratedArtifacts()) {
            return; // the build has told it
        }
        for (Adapter adapter : Adapter.ALL) {
            List<Adapter.Declaration> enabled = adapter.beans().stream()
                    .filter(bean -> beans.containsBeanDefinition(bean.configuration()))
                    .toList();
            if (enabled.stream().anyMatch(bean -> isDeclared(bean, beans))) {
                tellOfCaching(adapter, beans);
            } else {
                enabled.forEach(bean -> tellOfOthers(adapter, bean, beans));
            }
        }
    }

    private static void tellOfCaching(Adapter adapter, ConfigurableListableBeanFactory beans) {
        if (adapter.section().equals(Adapter.CACHES) && CACHING.stream().noneMatch(beans::containsBean)) {
            log.info("The caches are in the store. '@Cacheable' and other annotations use them only with"
                    + " '@EnableCaching', which this context lacks");
        }
    }

    private static void tellOfOthers(Adapter adapter, Adapter.Declaration bean, ConfigurableListableBeanFactory beans) {
        Class<?> type = ClassUtils.resolveClassName(bean.type(), beans.getBeanClassLoader());
        String[] others = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
        if (others.length > 0) {
            log.warn(
                    "The property 'store.{}.enabled' has no effect, because of the application's own {}",
                    adapter.section(),
                    List.of(others));
        }
    }

    private static boolean isDeclared(Adapter.Declaration bean, ConfigurableListableBeanFactory beans) {
        for (ConfigurableListableBeanFactory here = beans; here != null; here = above(here)) {
            if (Stream.of(here.getBeanDefinitionNames())
                    .map(here::getBeanDefinition)
                    .anyMatch(definition -> declares(bean, definition))) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(Adapter.Declaration bean, BeanDefinition definition) {
        String factory = definition.getFactoryBeanName();
        return bean.method().equals(definition.getFactoryMethodName())
                && factory != null
                && (factory.equals(bean.configuration()) || factory.startsWith(bean.configuration() + "$"));
    }

    private static @Nullable ConfigurableListableBeanFactory above(ConfigurableListableBeanFactory beans) {
        BeanFactory parent = beans.getParentBeanFactory();
        if (parent instanceof ConfigurableApplicationContext context) {
            return context.getBeanFactory();
        }
        return parent instanceof ConfigurableListableBeanFactory factory ? factory : null;
    }
}
