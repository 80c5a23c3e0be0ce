package dev.ttlstore.spring.documents;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.spring.PostgreSqlApplication;
import dev.ttlstore.spring.backup.StoreBackupJob;
import dev.ttlstore.spring.metrics.BackupMeters;
import dev.ttlstore.spring.metrics.StoreMetrics;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

/** The rules for alerts that one can copy are those of Prometheus, and ask for meters and labels that there are. */
@Tag("postgresql")
class AlertRulesTests extends PostgreSqlApplication {

    private static final Pattern METER = Pattern.compile("\\b(store_[a-z_]+)(?:\\{([a-z_]+=\"[^\"]*\")})?");
    private static final Pattern LABEL = Pattern.compile("\\{\\{ \\$labels\\.(\\w+) }}");
    private static final Pattern SAMPLE = Pattern.compile("^(\\w+)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);
    private static final Pattern DURATION = Pattern.compile("\\d+[smhd]");

    private record Rule(String alert, String expr, Map<String, String> labels, Map<String, String> annotations) {}

    private static List<Map<String, Object>> parsed() {
        Map<String, Object> file = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(GeneratedTable.read(Path.of("docs", "alerts.yml")));
        assertThat(file).containsOnlyKeys("groups");
        return AlertRulesTests.<List<Map<String, Object>>>in(file, "groups").stream()
                .peek(group -> assertThat(group).containsOnlyKeys("name", "rules"))
                .flatMap(group -> AlertRulesTests.<List<Map<String, Object>>>in(group, "rules").stream())
                .toList();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // another type fails the test
    private static <T> T in(Map<String, Object> map, String name) {
        return (T) requireNonNull(map.get(name));
    }

    private static List<Rule> rules() {
        return parsed().stream()
                .map(rule -> new Rule(in(rule, "alert"), in(rule, "expr"), in(rule, "labels"), in(rule, "annotations")))
                .toList();
    }

    @Test
    void eachRuleHasAMeaningAndARemedy() {
        assertThat(parsed()).allSatisfy(rule -> {
            assertThat(rule.keySet()).isSubsetOf("alert", "expr", "for", "labels", "annotations");
            assertThat(rule.getOrDefault("for", "1m").toString()).matches(DURATION);
        });
        assertThat(rules()).hasSizeGreaterThan(15).allSatisfy(rule -> {
            assertThat(rule.alert).matches("Store[A-Za-z]+");
            assertThat(rule.labels).containsOnlyKeys("severity");
            assertThat(rule.labels.get("severity")).isIn("warning", "critical");
            assertThat(rule.annotations).containsOnlyKeys("summary", "description");
            assertThat(rule.annotations.get("description")).endsWith(".");
            assertThat(rule.expr.chars().filter(c -> c == '(').count())
                    .isEqualTo(rule.expr.chars().filter(c -> c == ')').count());
        });
        assertThat(rules()).extracting(Rule::alert).doesNotHaveDuplicates();
    }

    @Test
    void eachMeterAndEachLabelOfARuleIsThere() {
        ObservationRegistry observations = ObservationRegistry.create();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        runner().withPropertyValues("store.observations.enabled=true")
                .withBean(ObservationRegistry.class, () -> observations)
                .run(context -> {
                    Store store = store(context);
                    store.scope("acme", new Quota(1000, 10, 1_000_000));
                    store.onExpired("reminder", "invites", entry -> {});
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> store.group("invites").get(""));
                    StoreMetrics metrics = new StoreMetrics(store, Tags.of("name", "ttlStore"), List.of("acme"));
                    metrics.bindTo(registry);
                    metrics.findSubscribers();
                    new BackupMeters(mock(StoreBackupJob.class)).bindTo(registry);
                    registry.scrape(); // finds those of PostgreSQL
                    assertAreThere(labels(registry.scrape()));
                });
    }

    /** Returns the labels with their values that each meter has. */
    private static Map<String, Set<String>> labels(String scraped) {
        Map<String, Set<String>> labels = new TreeMap<>();
        SAMPLE.matcher(scraped).results().forEach((MatchResult sample) -> {
            Set<String> ofMeter = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            if (sample.group(2) != null) {
                ofMeter.addAll(List.of(sample.group(2).split(",")));
            }
        });
        return labels;
    }

    private static void assertAreThere(Map<String, Set<String>> meters) {
        assertThat(rules()).allSatisfy(rule -> {
            assertThat(METER.matcher(rule.expr).results().toList())
                    .as("meters of %s", rule.alert)
                    .isNotEmpty()
                    .allSatisfy(meter -> {
                        assertThat(meters).containsKey(meter.group(1));
                        Set<String> labels = requireNonNull(meters.get(meter.group(1)));
                        if (meter.group(2) != null) {
                            assertThat(labels).contains(meter.group(2));
                        }
                        Set<String> names = labels.stream()
                                .map(label -> label.substring(0, label.indexOf('=')))
                                .collect(Collectors.toSet());
                        names.add("instance"); // Prometheus adds it
                        assertThat(LABEL.matcher(rule.annotations.get("summary"))
                                        .results())
                                .extracting(label -> label.group(1))
                                .isSubsetOf(names);
                    });
        });
    }
}
