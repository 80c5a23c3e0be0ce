package dev.ttlstore.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Ignores environment variables of other programs when Spring Boot binds groups and scopes. For a service named
 * 'store-scopes', Kubernetes sets {@code STORE_SCOPES_PORT}, and Spring Boot would bind its value as a scope.
 */
final class ForeignVariables implements ConfigurationPropertiesBindHandlerAdvisor {

    private final Environment environment;
    private final KnownProperties known = new KnownProperties();

    ForeignVariables(Environment environment) {
        this.environment = environment;
    }

    /** Returns whether a source holds environment variables, which many programs share. */
    static boolean isEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    @Override
    public BindHandler apply(BindHandler parent) {
        return new AbstractBindHandler(parent) {
            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                return known.isSectionOrEntry(name) && isSetByEnvironment(name, context)
                        ? without(name, context).bind(name, target).orElse(null)
                        : super.onFailure(name, target, context, error);
            }
        };
    }

    private static boolean isSetByEnvironment(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            if (source.getConfigurationProperty(name) != null) {
                return isEnvironment(source);
            }
        }
        return false;
    }

    private Binder without(ConfigurationPropertyName name, BindContext context) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource source : context.getSources()) {
            sources.add(isEnvironment(source) ? source.filter(other -> !other.equals(name)) : source);
        }
        return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
    }
}
