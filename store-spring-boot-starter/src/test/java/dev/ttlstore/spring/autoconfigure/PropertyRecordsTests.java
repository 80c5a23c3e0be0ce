package dev.ttlstore.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

/** The records of all features are checked for misspelt properties and missing units. */
class PropertyRecordsTests {

    private static final ClassLoader LOADER = PropertyRecordsTests.class.getClassLoader();

    @Test
    void theyAreAllClassesWithPropertiesInTheJar() {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        List<Class<?>> found = new ArrayList<>();
        scanner.findCandidateComponents("dev.ttlstore.spring")
                .forEach(candidate -> found.add(
                        ClassUtils.resolveClassName(Objects.requireNonNull(candidate.getBeanClassName()), LOADER)));
        found.removeIf(type -> !isInSameJarAs(StoreProperties.class, type));
        assertThat(PropertyRecords.byPrefix().values()).containsExactlyInAnyOrderElementsOf(found);
    }

    private static boolean isInSameJarAs(Class<?> one, Class<?> other) {
        return one.getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .equals(other.getProtectionDomain().getCodeSource().getLocation());
    }

    @Test
    void eachIsBoundToTheSectionOfItsFeature() {
        PropertyRecords.byPrefix().forEach((prefix, type) -> assertThat("store." + prefix)
                .isEqualTo(type.getAnnotation(ConfigurationProperties.class).value() + "."));
    }

    @Test
    void theConstructorsAreReadInANativeImageAsWell() {
        RuntimeHints hints = new RuntimeHints();
        new PropertyRecords().registerHints(hints, LOADER);
        assertThat(all()).contains(StoreProperties.Group.class).allSatisfy(type -> assertThat(
                        reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]))
                .accepts(hints));
    }

    /** Returns the records, and those of their parts. */
    static Collection<Class<?>> all() {
        return withThoseInside(PropertyRecords.byPrefix().values());
    }

    private static Collection<Class<?>> withThoseInside(Collection<Class<?>> types) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> type : types) {
            if (type.isRecord()) {
                all.add(type);
                all.addAll(withThoseInside(List.of(type.getDeclaredClasses())));
            }
        }
        return all;
    }
}
