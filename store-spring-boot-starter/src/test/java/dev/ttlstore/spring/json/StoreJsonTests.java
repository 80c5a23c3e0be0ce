package dev.ttlstore.spring.json;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TypeRef;
import dev.ttlstore.spring.StoreRunner;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What is stored as JSON outlives changes of the application. */
@Tag("variant")
class StoreJsonTests {

    private static final String ANN = "{\"mailAddress\":\"ann@example.org\",\"seats\":3}";

    @TempDir
    private Path folder;

    record Invite(String mailAddress, int seats) {}

    record Times(Instant at, Duration length) {}

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder);
    }

    private static Group<Invite> invites(Store store) {
        return store.group("invites", Invite.class);
    }

    @Test
    void whatWasStoredIsReadWhateverTheJsonOfTheWebIs() {
        runner().run(context -> invites(context.getBean(Store.class)).put("a", new Invite("ann@example.org", 3)));
        runner().withPropertyValues(
                        "spring.jackson.property-naming-strategy=SNAKE_CASE",
                        "spring.jackson.default-property-inclusion=non_null",
                        "spring.jackson.deserialization.fail-on-unknown-properties=true")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    assertThat(invites(store).get("a")).contains(new Invite("ann@example.org", 3));
                    invites(store).put("b", new Invite("ann@example.org", 3));
                    assertThat(store.group("invites").get("b")).contains(ANN);
                    assertThat(context.getBean(JsonMapper.class).writeValueAsString(new Invite("ann", 3)))
                            .as("the web's")
                            .contains("mail_address");
                });
    }

    @Test
    void whatTheMapperOfTheWebHasWrittenByItsDefaultsIsRead() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            Times times = new Times(Instant.parse("2030-01-01T00:00:00.123Z"), Duration.ofMinutes(5));
            String before = context.getBean(JsonMapper.class).writeValueAsString(times);
            store.group("times").put("a", before);
            assertThat(store.group("times", Times.class).get("a")).contains(times);
            store.group("times", Times.class).put("b", times);
            assertThat(store.group("times").get("b")).contains(before);
        });
    }

    @Test
    void valuesOfGenericTypesAreStoredAsJson() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            TypeRef<List<Invite>> type = new TypeRef<>() {};
            Group<List<Invite>> batches = store.group("batches", type);
            batches.put("a", List.of(new Invite("ann@example.org", 3)));
            assertThat(batches.get("a").orElseThrow())
                    .singleElement()
                    .extracting(Invite::seats)
                    .isEqualTo(3);
            assertThat(store.group("batches").get("a")).contains("[" + ANN + "]");
        });
    }

    @Test
    void aClassMayLoseAndGainProperties() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            store.group("invites").put("a", "{\"mailAddress\":\"ann@example.org\",\"colour\":\"red\"}");
            assertThat(invites(store).get("a")).contains(new Invite("ann@example.org", 0));
        });
    }

    @Test
    void aQualifiedMapperTakesThePlaceOfTheStoresOwnAndLeavesThatOfTheWeb() {
        runner().withUserConfiguration(SnakeCase.class).run(context -> {
            Store store = context.getBean(Store.class);
            invites(store).put("a", new Invite("ann@example.org", 3));
            assertThat(store.group("invites").get("a")).contains(ANN.replace("mailAddress", "mail_address"));
            assertThat(context.getBean(JsonMapper.class).writeValueAsString(new Invite("ann", 3)))
                    .as("the web's")
                    .contains("mailAddress");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class SnakeCase {

        @Bean(defaultCandidate = false)
        @StoreJson
        JsonMapper storedJson() {
            return JacksonCodecFactory.defaults()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();
        }
    }
}
