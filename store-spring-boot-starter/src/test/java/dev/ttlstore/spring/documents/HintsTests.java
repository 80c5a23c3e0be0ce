package dev.ttlstore.spring.documents;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** An editor offers the values of a property that has few, and the classes of the application where a property names classes. */
class HintsTests {

    private static final Metadata METADATA = new Metadata();

    static List<Metadata.Property> closedSets() {
        return METADATA.properties().stream().filter(Metadata.Property::isEnum).toList();
    }

    static List<Metadata.Property> classes() {
        return METADATA.properties().stream()
                .filter(property -> property.name().endsWith("-classes"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("closedSets")
    void eachValueOfAClosedSetIsOffered(Metadata.Property property) {
        Stream<String> values = Stream.of(
                        ClassUtils.resolveClassName(property.type(), null).getEnumConstants())
                .map(constant ->
                        ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'));
        assertThat(METADATA.offered(property.name()))
                .as("values of %s in additional-spring-configuration-metadata.json", property.name())
                .containsExactlyInAnyOrderElementsOf(values.toList());
    }

    @ParameterizedTest
    @MethodSource("classes")
    void theClassesOfTheApplicationAreOffered(Metadata.Property property) {
        assertThat(METADATA.providers(property.name())).contains("class-reference");
    }
}
