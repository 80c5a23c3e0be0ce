package dev.ttlstore.spring.autoconfigure;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
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

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.TypeRef;
import dev.ttlstore.spring.values.ValueTypes;

/**
 * Registers a bean for each scope, and beans for each group, that the properties declare. The name is the qualifier.
 * Each injection point gets its own group, because it declares the type of the values.
 *
 * <p>A group has three bean definitions, because no type is a {@code Group<V>} of any values, a {@code TextGroup} and
 * {@code Counters}. The last two also match {@code Group<String>} and {@code Group<Long>}. They are fallbacks, so that
 * {@code Group} without a type is not ambiguous, and beans of the application come first.
 */
final class DeclaredBeansRegistrar implements ImportBeanDefinitionRegistrar {

    private final Binder binder;
    private final BindHandler handler;

    DeclaredBeansRegistrar(Environment environment) {
        this.binder = Binder.get(environment);
        this.handler = new ForeignVariables(environment).apply(new LeftToTheCheck());
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
            registry.registerBeanDefinition("ttlStore.group." + name, groupDefinition("group", name));
            registry.registerBeanDefinition("ttlStore.texts." + name, fallbackDefinition("texts", name));
            registry.registerBeanDefinition("ttlStore.counters." + name, fallbackDefinition("counters", name));
        });
    }

    private static AbstractBeanDefinition groupDefinition(String factoryMethod, String name) {
        AbstractBeanDefinition definition = definition(factoryMethod, name);
        definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
        definition.setDefaultCandidate(false); // otherwise it matches every group injected without a qualifier
        return definition;
    }

    private static AbstractBeanDefinition fallbackDefinition(String factoryMethod, String name) {
        AbstractBeanDefinition definition = groupDefinition(factoryMethod, name);
        definition.setFallback(true);
        return definition;
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
        return DeferredStub.now(Scope.class, () -> store.scope(namespace), "scope(\"" + namespace + "\")");
    }

    static Group<?> group(String name, Store store, InjectionPoint injectionPoint) {
        Type type = ValueTypes.of(type(injectionPoint).as(Group.class).getGeneric());
        if (type == null) {
            throw new GroupInjectionException(name, injectionPoint.getMember());
        }
        return DeferredStub.now(
                Group.class,
                () -> type instanceof Class<?> plain ? store.group(name, plain) : store.group(name, TypeRef.of(type)),
                "group(\"" + name + "\", …)");
    }

    static TextGroup texts(String name, Store store, InjectionPoint injectionPoint) {
        return isOf(TextGroup.class, injectionPoint)
                ? DeferredStub.now(TextGroup.class, () -> store.group(name), "group(\"" + name + "\")")
                : ofClass(TextGroup.class, store.group(name), () -> store.group(name, String.class), name);
    }

    static Counters counters(String name, Store store, InjectionPoint injectionPoint) {
        return isOf(Counters.class, injectionPoint)
                ? DeferredStub.now(Counters.class, () -> store.counters(name), "counters(\"" + name + "\")")
                : ofClass(Counters.class, store.counters(name), () -> store.group(name, Long.class), name);
    }

    /**
     * Returns a group for an injection point that has asked for a class of values. Spring wants the type of the bean
     * definition. A store's texts and counters are groups of their class. Those of a mock are not, and its test has
     * stubbed the group of the class.
     */
    private static <G extends Group<?>> G ofClass(
            Class<G> type, @Nullable G known, Supplier<? extends @Nullable Group<?>> asked, String name) {
        Group<?> group = asked.get();
        return group != null
                        && known != null
                        && AopUtils.getTargetClass(group).isAssignableFrom(AopUtils.getTargetClass(known))
                ? known
                : DeferredStub.now(type, asked, "group(\"" + name + "\", …)");
    }

    private static boolean isOf(Class<?> type, InjectionPoint injectionPoint) {
        return type(injectionPoint).resolve() == type;
    }

    private static ResolvableType type(InjectionPoint injectionPoint) {
        return ((DependencyDescriptor) injectionPoint).getResolvableType();
    }
}
