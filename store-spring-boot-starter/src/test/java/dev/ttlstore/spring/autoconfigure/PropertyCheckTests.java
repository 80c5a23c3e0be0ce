package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** What is said of properties that are misread or misspelt. */
@ExtendWith(OutputCaptureExtension.class)
class PropertyCheckTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner withEnvironment(String variable, String value) {
        return StoreRunner.at(folder).withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource("systemEnvironment", Map.of(variable, value))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.lock-timeout",
                "store.lockTimeout",
                "store.retention",
                "store.purge-interval",
                "store.expiry.first-delay",
                "store.expiry.max-delay",
                "store.expiry.timeout",
                "store.groups.invites.ttl",
                "store.groups[invites.new].ttl"
            })
    void aDurationWithoutAUnitFailsTheStartWithItsPropertyItsValueAndHowToWriteIt(String property) {
        StoreRunner.at(folder)
                .withPropertyValues(property + "=${given}", "given=300000")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, failure -> {
                            assertThat(failure.getName()).isEqualTo(property.replace("T", "-t"));
                            assertThat(failure.getValue()).isEqualTo("300000");
                            assertThat(failure.getReason()).contains("needs a unit", "'300000s'", "'300000ms'");
                        }));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aDurationWithoutAUnitFailsTheStartOfAnApplicationWithAStoreOfItsOwn() {
        StoreRunner.at(folder)
                .withBean(Store.class, Store::inMemory)
                .withPropertyValues("store.purge-interval=60")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("store.purge-interval"));
    }

    @Test
    void aDurationWithoutAUnitFromTheEnvironmentFailsTheStart() {
        withEnvironment("STORE_GROUPS_INVITES_TTL", "10")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("store.groups.invites.ttl"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.lock-timeout=0",
                "store.retention=00",
                "store.retention=",
                "store.purge-interval=-",
                "store.groups.invites.ttl=10d",
                "store.groups.invites.ttl=PT10M"
            })
    void zeroAndADurationWithAUnitNeedNothingElse(String property, CapturedOutput output) {
        StoreRunner.at(folder).withPropertyValues(property).run(context -> assertThat(context)
                .hasNotFailed());
        assertThat(output).doesNotContain("The property 'store");
    }

    @ParameterizedTest
    @CsvSource({
        "store.groups.invites.tll, store.groups.invites.ttl",
        "store.groups.invites.metric, store.groups.invites.metrics",
        "store.groups.invites.t-t-l.x, store.groups.invites.ttl",
        "store.groups[invites.new].tl, store.groups[invites.new].ttl",
        "store.scopes.acme.quota.max-key, store.scopes.acme.quota.max-keys",
        "store.scopes.acme.max-bytes, store.scopes.acme.quota.max-bytes",
        "store.scopes.acme.qouta.max-groups, store.scopes.acme.quota.max-groups"
    })
    void anUnknownSettingOfAGroupOrScopeFailsTheStartWithTheNearestOne(String property, String nearest) {
        StoreRunner.at(folder).withPropertyValues(property + "=1").run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageContaining("'" + property + "'")
                .hasMessageContaining("'" + nearest + "'"));
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.groups.invites=10d", "store.scopes.acme=5"})
    void aGroupOrScopeThatIsGivenAValueInPlaceOfItsSettingsFailsTheStart(String property) {
        String name = property.substring(0, property.indexOf('='));
        StoreRunner.at(folder)
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(name));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anUnknownSettingOfAGroupFromTheEnvironmentFailsTheStart() {
        withEnvironment("STORE_GROUPS_INVITES_TLL", "10d")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("store.groups.invites.tll"));
    }

    @Test
    void aQuotaFromTheEnvironmentIsKnown() {
        withEnvironment("STORE_SCOPES_ACME_QUOTA_MAX_KEYS", "7").run(context -> assertThat(context)
                .hasNotFailed()
                .getBean(Store.class)
                .satisfies(store ->
                        assertThat(store.scope("acme").quota().maxKeys()).isEqualTo(7)));
    }

    @ParameterizedTest
    @CsvSource({
        "store.pth, store.path",
        "store.lock-timout, store.lock-timeout",
        "store.purge.interval, store.purge-interval",
        "store.expiry.concurency, store.expiry.concurrency",
        "store.cache.max-size, store.near-cache.max-size",
        "store.group.invites.ttl, store.groups.invites.ttl",
        "store.scope.acme.quota.max-keys, store.scopes.acme.quota.max-keys"
    })
    void aMisspeltPropertyIsWarnedOfWithTheNearestOne(String property, String nearest, CapturedOutput output) {
        StoreRunner.at(folder).withPropertyValues(property + "=1h").run(context -> assertThat(context)
                .hasNotFailed());
        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("'" + property + "'"))
                .singleElement()
                .asString()
                .contains("WARN", "did you mean '" + nearest + "'?")
                .doesNotContain("1h");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.front-url",
                "store.name",
                "store.currency",
                "store.opening.hours",
                "store.shops.berlin.url"
            })
    void aPropertyOfTheApplicationIsMentionedAndNoMore(String property, CapturedOutput output) {
        StoreRunner.at(folder).withPropertyValues(property + "=own").run(context -> assertThat(context)
                .hasNotFailed());
        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("'" + property + "'"))
                .singleElement()
                .asString()
                .contains("INFO");
    }

    @ParameterizedTest
    @ValueSource(strings = {"STORE_FRONT_URL", "STORE_PTH", "STORE_URL", "STORE_LOCK_TIMEOUT"})
    void aVariableOfTheEnvironmentIsLeftAlone(String variable, CapturedOutput output) {
        withEnvironment(variable, "5s").run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("The property 'store");
    }

    @Test
    void propertiesThatAreKnownAreNotMentioned(CapturedOutput output) {
        StoreRunner.at(folder)
                .withPropertyValues(
                        "store.lockTimeout=5s",
                        "store.encryption.groups[0]=",
                        "store.events.groups=a,b",
                        "store.groups.invites.metrics=true",
                        "store.scopes.acme.quota.maxKeys=5",
                        "store.near-cache.max-size=0",
                        "store.test.replace=any",
                        "storefront.url=x")
                .run(context -> assertThat(context).isNotNull());
        assertThat(output).doesNotContain("The property 'store");
    }
}
