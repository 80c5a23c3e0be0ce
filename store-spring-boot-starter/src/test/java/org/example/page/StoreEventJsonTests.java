package org.example.page;

import java.time.Instant;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** How an application adds the kind of an event to its JSON. */
class StoreEventJsonTests {

    private static final EntryPut PUT = new EntryPut(7, Instant.EPOCH, "config", "theme", 7, true, null);

    @AutoConfigurationPackage
    static class Application {}

    private static Stream<StoreEvent> events() {
        return Stream.of(
                PUT,
                new EntryDeleted(8, Instant.EPOCH, "config", "theme", 7),
                new EntryExpired(9, Instant.EPOCH, "config", "theme", 7, Instant.EPOCH),
                new GroupDeleted(10, Instant.EPOCH, "config", 3));
    }

    private static void assertTyped(JsonMapper mapper, StoreEvent event) {
        JsonNode json = mapper.readTree(mapper.writeValueAsString(event));
        assertThat(json.path("type").asString()).isEqualTo(event.type());
        assertThat(json.path("sequence").asLong()).isEqualTo(event.sequence());
        assertThat(json.path("group").asString()).isEqualTo("config");
    }

    @ParameterizedTest
    @MethodSource("events")
    void theMixinOfTheReadmeIsFoundBySpringBoot(StoreEvent event) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .run(context -> assertTyped(context.getBean(JsonMapper.class), event));
    }

    @ParameterizedTest
    @MethodSource("events")
    void aMapperMayTakeTheMixinByItself(StoreEvent event) {
        JsonMapper mapper = JsonMapper.builder()
                .addMixIn(StoreEvent.class, StoreEventJson.class)
                .build();
        assertTyped(mapper, event);
    }

    @Test
    void withoutTheMixinAnEventHasTheComponentsOfItsRecord() {
        JsonMapper mapper = JsonMapper.builder().build();
        JsonNode json = mapper.readTree(mapper.writeValueAsString(PUT));
        assertThat(json.propertyNames())
                .containsExactlyInAnyOrder(
                        "sequence", "timestamp", "group", "key", "version", "created", "expiresAt", "value");
    }
}
