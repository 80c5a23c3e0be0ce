package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
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
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.ttlstore.Store;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** What is said of properties that are misread or misspelt. */
@ExtendWith(OutputCaptureExtension.class)
class PropertyCheckTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner withEnvironment(String variable, String value) {
        return withEnvironment(Map.of(variable, value));
    }

    private ApplicationContextRunner withEnvironment(Map<String, Object> variables) {
        return StoreRunner.at(folder).withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment", variables)));
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
                "store.remember-me.ttl",
                "store.cache-manager.caches.books.ttl",
                "store.groups.invites.ttl",
                "store.groups.invites.max-age",
                "store.groups.invites.retention",
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
                "store.groups.invites.max-age=10d",
                "store.groups.invites.retention=0",
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
    @CsvSource({
        "store.groups.invites=10d, store.groups.invites.ttl",
        "store.groups.my-group=10d, store.groups.my-group.ttl",
        "store.scopes.acme=5, store.scopes.acme.quota.max-keys",
        "store.cache.max-size=1MB, store.near-cache.max-size",
        "store.cache.maxSize=1MB, store.near-cache.max-size"
    })
    void whatIsNoPropertyAnyMoreOrHasAValueInPlaceOfSettingsFailsTheStartWithWhatToUse(String property, String use) {
        StoreRunner.at(folder).withPropertyValues(property).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageContaining("use '" + use + "'"));
        StoreRunner.at(folder)
                .withSystemProperties(property)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("use '" + use + "'"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFormerNameFromTheEnvironmentIsWarnedOf(CapturedOutput output) {
        withEnvironment("STORE_CACHE_MAX_SIZE", "1MB")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("has been renamed", "use 'store.near-cache.max-size'");
    }

    @Test
    void theLinksOfKubernetesToServicesAreLeftOutAndWarnedOfOnce(CapturedOutput output) {
        Map<String, Object> links = Map.of(
                "STORE_SCOPES_PORT", "tcp://10.0.0.1:80",
                "STORE_SCOPES_SERVICE_HOST", "10.0.0.1",
                "STORE_SCOPES_SERVICE_PORT", "80",
                "STORE_SCOPES_PORT_80_TCP_ADDR", "10.0.0.1",
                "STORE_GROUPS_PORT", "tcp://10.0.0.2:80",
                "STORE_GROUPS_PORT_80_TCP", "tcp://10.0.0.2:80",
                "STORE_GROUPS_SERVICE_PORT_METRICS", "9090",
                "STORE_GROUPS_EU_SERVICE_PORT_TTL", "80");
        withEnvironment(links)
                .withPropertyValues("store.scopes.port.quota.max-keys=${limit}", "limit=7")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(StoreProperties.class).groups()).isEmpty();
                    assertThat(context.getBean(Store.class)
                                    .scope("port")
                                    .quota()
                                    .maxKeys())
                            .isEqualTo(7);
                    assertThat(context.getBean("ttlStore.scope.port")).isNotNull();
                });
        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("The environment variables"))
                .singleElement()
                .asString()
                .contains("WARN", "'enableServiceLinks: false'")
                .contains(links.keySet())
                .doesNotContain("10.0.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "STORE_GROUPS",
                "STORE_GROUPS_HOME",
                "STORE_SCOPES_ACME_URL",
                "STORE_POSTGRESQL_URL",
                "STORE_POSTGRESQL_MAX_CONNECTIONS",
                "STORE_POSTGRESQL_SERVICE_HOST"
            })
    void aVariableOfTheEnvironmentThatIsNobodysSettingIsWarnedOf(String variable, CapturedOutput output) {
        withEnvironment(variable, "value").run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("The environment variables [" + variable + "]");
    }

    @ParameterizedTest
    @CsvSource({
        "STORE_GROUPS_MY_GROUP_TTL, 'store.groups.my-group.ttl', 'store.groups[my.group].ttl'",
        "STORE_GROUPS_A_B_C_METRICS, 'store.groups.a-b-c.metrics', 'store.groups[a.b.c].metrics'",
        "STORE_SCOPES_ACME_EU_QUOTA_MAX_KEYS, 'store.scopes.acme-eu.quota.max-keys', 'in a file'",
        "STORE_SCOPES_ACME_EU_QUOTA_MAXKEYS, 'store.scopes.acme-eu.quota.max-keys', 'in a file'",
        "STORE_SCOPES_ACME_MAX_BYTES, 'is unknown', 'store.scopes.acme.quota.max-bytes'",
        "STORE_SCOPES_ACME_QUOTA_MAX_ENTRIES, 'is unknown', 'store.scopes.acme.quota.max-'",
        "STORE_POSTGRESQL_SCHEMAS, 'is unknown', 'store.postgresql.schema'"
    })
    void aVariableOfTheEnvironmentThatMustBeASettingFailsTheStartWithHowToWriteIt(
            String variable, String one, String other) {
        withEnvironment(variable, "10").run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageContaining(variable)
                .hasMessageContaining(one)
                .hasMessageContaining(other));
    }

    @Test
    void aVariableOfTheEnvironmentOverridesAGroupWithAHyphenThatAFileDeclares() {
        withEnvironment("STORE_GROUPS_MY_GROUP_TTL", "2d")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new MapPropertySource("file", Map.of("store.groups.my-group.ttl", "1d"))))
                .run(context -> assertThat(
                                context.getBean(StoreProperties.class).groups())
                        .hasEntrySatisfying(
                                "my-group", group -> assertThat(group.ttl()).isEqualTo(Duration.ofDays(2))));
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
                .contains("WARN", "Did you mean '" + nearest + "'?")
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
    @CsvSource({
        "store.session.timeout, store.session.save-mode",
        "store.backup.location, store.backup.folder",
        "store.sqlite.synchronous, store.sqlite.wal-limit"
    })
    void anUnknownNameInASectionIsWarnedOfWithThoseThatAreThere(String property, String other, CapturedOutput output) {
        StoreRunner.at(folder).withPropertyValues(property + "=elsewhere").run(context -> assertThat(context)
                .hasNotFailed());
        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("The property '" + property + "'"))
                .singleElement()
                .asString()
                .contains("WARN", "In its section there are", other)
                .doesNotContain("elsewhere");
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
