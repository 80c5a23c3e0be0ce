package dev.ttlstore.sample.docs;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.xml.sax.InputSource;

import dev.ttlstore.sample.web.SecretsProperties;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every example of a configuration sets properties that exist, to values that they can have; every dependency is one of the build. */
class ConfigurationExamplesTests {

    private static final ConfigurationMetadata METADATA = new ConfigurationMetadata();

    /** Environment variables of the store in a manifest of Kubernetes. */
    private static final Pattern VARIABLE =
            Pattern.compile("\\bname: (STORE_[A-Z_]+), value: (?:\"([^\"]*)\"|([^,}\\s]+))");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<$]+)</artifactId>");
    private static final Pattern PARENT =
            Pattern.compile("<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>([^<]+)</version>");

    private static final Pattern IN_TEXT =
            Pattern.compile("`((?:store|spring|server|management)\\.[a-z.-]+[a-z])(?:=[^`]*)?`");

    /** A plugin of Maven, and what an application has and ours has not: its parent, and itself. */
    private static final Set<String> OF_READERS =
            Set.of("maven-dependency-plugin", "spring-boot-starter-parent", "invitations");

    private static final String BUILD =
            Document.files("pom.xml").stream().map(Document::read).collect(Collectors.joining());

    private static List<Document.Block> blocks(String... languages) {
        return Document.all().stream()
                .flatMap(document -> document.blocks(languages).stream())
                .toList();
    }

    static List<Document.Block> yaml() {
        return blocks("yaml", "yml");
    }

    static List<Document.Block> properties() {
        return blocks("properties");
    }

    static List<Document.Block> xml() {
        return blocks("xml");
    }

    static List<Document.Block> json() {
        return blocks("json");
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void everyExampleInYamlCanBeSet(Document.Block example) throws IOException {
        Map<String, String> settings = new HashMap<>();
        if (example.text().contains("\nkind: ")) {
            VARIABLE.matcher(example.text())
                    .results()
                    .forEach(match -> settings.put(
                            match.group(1).toLowerCase(Locale.ROOT).replace('_', '.'),
                            match.group(2) == null ? match.group(3) : match.group(2)));
        }
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load("example", new ByteArrayResource(example.text().getBytes(StandardCharsets.UTF_8)))) {
            EnumerablePropertySource<?> loaded = (EnumerablePropertySource<?>) source;
            for (String name : loaded.getPropertyNames()) {
                settings.put(name, String.valueOf(loaded.getProperty(name)));
            }
        }
        assertThat(settings).isNotEmpty();
        assertThat(problems(settings)).as("%s", example).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("properties")
    void everyExampleOfPropertiesCanBeSet(Document.Block example) throws IOException {
        Properties loaded = new Properties();
        loaded.load(new StringReader(example.text()));
        Map<String, String> settings = new HashMap<>();
        loaded.stringPropertyNames().forEach(name -> settings.put(name, loaded.getProperty(name)));
        assertThat(settings).isNotEmpty();
        assertThat(problems(settings)).as("%s", example).isEmpty();
    }

    private static List<String> problems(Map<String, String> settings) {
        List<String> problems = new ArrayList<>();
        Map<String, String> ofSample = new HashMap<>();
        settings.forEach((name, value) -> {
            if (name.startsWith("secrets.")) {
                ofSample.put(name, value);
            } else {
                Optional.ofNullable(METADATA.problem(name, value)).ifPresent(problems::add);
            }
        });
        new Binder(new MapConfigurationPropertySource(ofSample))
                .bindOrCreate(
                        "secrets",
                        Bindable.of(SecretsProperties.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        return problems;
    }

    /** A dependency that no build of ours has was not tried. */
    @ParameterizedTest
    @MethodSource("xml")
    void everyExampleForMavenNamesWhatTheBuildHas(Document.Block example) throws Exception {
        String text = example.text();
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(
                        new StringReader(text.startsWith("<?") ? text : "<examples>" + text + "</examples>")));
        assertThat(ARTIFACT.matcher(example.text()).results().map((MatchResult match) -> match.group(1)))
                .as("artifacts at %s", example)
                .allMatch(artifact ->
                        OF_READERS.contains(artifact) || BUILD.contains("<artifactId>" + artifact + "</artifactId>"));
    }

    @ParameterizedTest
    @MethodSource("xml")
    void anApplicationHasTheVersionOfSpringBootThatIsTested(Document.Block example) {
        PARENT.matcher(example.text()).results().forEach(parent -> assertThat(BUILD)
                .contains("<spring-boot.version>" + parent.group(1) + "</spring-boot.version>"));
    }

    @ParameterizedTest
    @MethodSource("json")
    void everyExampleInJsonCanBeRead(Document.Block example) {
        assertThat(JsonMapper.shared().readTree(example.text()))
                .as("%s", example)
                .isNotNull();
    }

    /** Properties in sentences and tables exist, too; {@code store.expiry.*} stands for a section. */
    @Test
    void everyPropertyThatATextNamesExists() {
        assertThat(Document.all()).allSatisfy(document -> assertThat(IN_TEXT.matcher(document.text())
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .filter(name -> !name.startsWith("store.db") && METADATA.isMissing(name)))
                .as("properties in %s that do not exist", document)
                .isEmpty());
    }

    @Test
    void everyExampleSaysItsLanguage() {
        assertThat(blocks(""))
                .as("examples without a language, so that nothing tests them")
                .isEmpty();
        assertThat(Document.all())
                .filteredOn(document -> !document.name().startsWith("store-core/"))
                .allSatisfy(document -> assertThat(document.indented())
                        .as("examples in %s that are only indented", document)
                        .isEmpty());
    }
}
