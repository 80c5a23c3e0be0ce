package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Checks the store's properties for misspelt names and misread values, before any bean is created. Spring Boot would
 * read a duration without a unit as milliseconds, and ignore a name that it does not know.
 *
 * <p>A name under {@code store.groups}, {@code store.scopes} or {@code store.postgresql} must be known, and a former
 * name is refused. Other unknown names may belong to the application, so they are logged: as a warning if they are misspelt, or in a
 * section that has settings. Other unknown names in
 * environment variables and system properties, such as {@code STORE_FRONT_URL}, are ignored. Known names must have an effect on the
 * engine that is chosen.
 */
final class PropertyCheck implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(PropertyCheck.class);

    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d*[1-9]\\d*");

    /** The properties for tests, which {@code @AutoConfigureTestStore} sets. */
    private static final ConfigurationPropertyName OF_TESTS = KnownProperties.ROOT.append("test");

    private static final Set<String> SOURCES_OF_OTHERS = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private final Environment environment;
    private final KnownProperties known = new KnownProperties();

    PropertyCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        DeclaredNames.requireAsWritten(environment);
        Set<ConfigurationPropertyName> durations =
                new TreeSet<>(known.durations().toList());
        Set<ConfigurationPropertyName> ignored = new TreeSet<>();
        forEachName(source -> true, (name, source) -> {
            if (known.isDuration(name)) {
                durations.add(name);
            } else if (isIgnored(name, source)) {
                ignored.add(name);
            }
        });
        PropertyRefusals refusals = new PropertyRefusals(known);
        SortedSet<ConfigurationPropertyName> written = new TreeSet<>();
        forEachName(source -> !ForeignVariables.isEnvironment(source), (name, source) -> {
            refusals.look(name, source);
            written.add(name);
        });
        forEachName(ForeignVariables::isEnvironment, refusals::lookInEnvironment);
        refusals.throwIfAny();
        durations.forEach(this::requireUnit);
        new EngineCheck(environment, known).requireEffect();
        AdapterCheck adapters = new AdapterCheck(environment, known, written);
        adapters.requireEffect();
        adapters.tellOfExcluded(ConditionEvaluationReport.get(beanFactory).getExclusions());
        ignored.forEach(this::tell);
        refusals.warnOfOthers();
    }

    private void forEachName(
            Predicate<ConfigurationPropertySource> sources,
            BiConsumer<ConfigurationPropertyName, ConfigurationPropertySource> action) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (sources.test(source) && source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(KnownProperties.ROOT::isAncestorOf)
                        .forEach(name -> action.accept(name, source));
            }
        }
    }

    private boolean isIgnored(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        if (known.renamed(name) != null) {
            return ForeignVariables.isEnvironment(source);
        }
        return !known.isDeclaration(name)
                && !known.isKnown(name)
                && !OF_TESTS.isAncestorOf(name)
                && !(source.getUnderlyingSource() instanceof PropertySource<?> underlying
                        && SOURCES_OF_OTHERS.contains(underlying.getName()));
    }

    private void requireUnit(ConfigurationPropertyName name) {
        Binder.get(environment).bind(name, Bindable.of(String.class)).ifBound(value -> {
            String given = value.trim();
            if (NUMBER.matcher(given).matches()) {
                throw new InvalidConfigurationPropertyValueException(
                        name.toString(),
                        given,
                        "a duration needs a unit: write '" + given + "s', '" + given + "m', '" + given + "h' or '"
                                + given + "d' for seconds, minutes, hours or days, or '" + given
                                + "ms' for milliseconds");
            }
        });
    }

    private void tell(ConfigurationPropertyName name) {
        ConfigurationPropertyName renamed = known.renamed(name);
        List<ConfigurationPropertyName> inSection = known.inSectionOf(name);
        if (renamed != null) { // in an environment variable, which other programs may use as well
            log.warn("The property '{}' has been renamed and has no effect; use '{}'", name, renamed);
        } else if (known.isMisspelt(name)) {
            log.warn(
                    "The property '{}' is unknown and has no effect on the store. Did you mean '{}'?",
                    name,
                    known.nearest(name));
        } else if (!inSection.isEmpty()) {
            log.warn(
                    "The property '{}' is unknown and has no effect on the store. In its section there are {}",
                    name,
                    inSection);
        } else {
            log.info("The property '{}' is not a property of TTL Store and has no effect on the store", name);
        }
    }
}
