package dev.ttlstore.spring.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;

/**
 * Registers a bean for each scope and each group that the properties declare. The name is the bean's qualifier. Each
 * injection point gets its own group, because it declares the type of the values.
 */
final class DeclaredBeansRegistrar implements ImportBeanDefinitionRegistrar {

    private final Binder binder;
    private final BindHandler handler;

    DeclaredBeansRegistrar(Environment environment) {
        this.binder = Binder.get(environment);
        this.handler = new OthersInEnvironment(environment).apply(new LeftToTheCheck());
    }

    /** Ignores a value in place of settings. {@link PropertyCheck} runs next, and says what to write. */
    private static final class LeftToTheCheck implements BindHandler {

        private final KnownProperties known = new KnownProperties();

        @Override
        public @Nullable Object onFailure(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                throws Exception {
            if (known.isEntry(name) && error instanceof ConverterNotFoundException) {
                return null;
            }
            throw error;
        }
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        declared("store.scopes", StoreProperties.Scope.class)
                .forEach((namespace, scope) ->
                        registry.registerBeanDefinition("ttlStore.scope." + namespace, definition("scope", namespace)));
        declared("store.groups", StoreProperties.Group.class).forEach((name, group) -> {
            AbstractBeanDefinition definition = definition("group", name);
            definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
            definition.setDefaultCandidate(false); // otherwise it matches every group injected without a qualifier
            registry.registerBeanDefinition("ttlStore.group." + name, definition);
        });
    }

    private <T> Map<String, T> declared(String property, Class<T> type) {
        return binder.bind(property, Bindable.mapOf(String.class, type), handler)
                .orElseGet(Map::of);
    }

    private static AbstractBeanDefinition definition(String factoryMethod, String name) {
        AbstractBeanDefinition definition = BeanDefinitionBuilder.rootBeanDefinition(
                        DeclaredBeansRegistrar.class, factoryMethod)
                .addConstructorArgValue(name)
                .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR)
                .getBeanDefinition();
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        return definition;
    }

    static Scope scope(String namespace, Store store, StoreProperties properties) {
        DeclaredScopes.of(properties.scopes())
                .applyTo(store); // a second time, for a store that the application has opened
        return StubbedLater.now(Scope.class, () -> store.scope(namespace), "scope(\"" + namespace + "\")");
    }

    static Group<?> group(String name, Store store, InjectionPoint injectionPoint) {
        Class<?> type = valueType(injectionPoint);
        if (type == null) {
            throw new GroupInjectionException(name, injectionPoint.getMember());
        }
        return StubbedLater.now(Group.class, () -> store.group(name, type), "group(\"" + name + "\", …)");
    }

    private static @Nullable Class<?> valueType(InjectionPoint injectionPoint) {
        ResolvableType value = ((DependencyDescriptor) injectionPoint)
                .getResolvableType()
                .as(Group.class)
                .getGeneric();
        return value.hasGenerics() ? null : value.resolve();
    }
}
