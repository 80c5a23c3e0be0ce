package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoreKeyspaceAutoConfigurationTests {

    @TempDir
    private Path folder;

    record Invite(String mail) {}

    static final class Invitations {
        private final Group<Invite> invites;
        private final Scope acme;

        @Autowired
        @Qualifier("names")
        private ObjectProvider<Group<String>> names;

        Invitations(@Qualifier("invites") Group<Invite> invites, @Qualifier("acme") Scope acme) {
            this.invites = invites;
            this.acme = acme;
        }
    }

    @Test
    void declaredGroupsAndScopesAreInjectedByTheirQualifier() {
        StoreRunner.at(folder)
                .withPropertyValues(
                        "store.groups.invites.ttl=10d",
                        "store.groups.names.metrics=false",
                        "store.scopes.acme.quota.max-keys=1",
                        "store.scopes.umbrella.quota.max-bytes=1KB")
                .withBean(Invitations.class)
                .run(context -> {
                    Invitations bean = context.getBean(Invitations.class);
                    bean.invites.put("key", new Invite("ann@example.org"));
                    Store store = context.getBean(Store.class);
                    Entry<Invite> entry =
                            store.group("invites", Invite.class).entry("key").orElseThrow();
                    assertThat(entry.value()).isEqualTo(new Invite("ann@example.org"));
                    assertThat(entry.ttl()).isBetween(Duration.ofDays(9), Duration.ofDays(10));
                    bean.names.getObject().put("key", "value");
                    assertThat(store.group("names").get("key")).contains("value");
                    assertThat(bean.acme.namespace()).isEqualTo("acme");
                    assertThat(bean.acme.quota()).isEqualTo(new Quota(1, 0, 0));
                    assertThat(store.scope("umbrella").quota()).isEqualTo(new Quota(0, 0, 1_024));
                    bean.acme.group("group").put("key", "value");
                    assertThatExceptionOfType(QuotaExceededException.class)
                            .isThrownBy(() -> store.group("acme:group").put("other", "value"));
                    assertThat(context.getBeansOfType(Scope.class)).hasSize(2);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.groups.a.b.ttl",
                "store.groups.acme:invites.metrics",
                "store.groups.a/b.ttl",
                "store.scopes.a:b.quota.max-keys"
            })
    void aNameThatWouldBeTakenForAnotherIsRefusedWithHowToWriteIt(String property) {
        withProperty(folder, property, "1").run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessageContaining("must be in brackets"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aQuotaHoldsForAStoreOfTheApplicationToo() {
        StoreRunner.at(folder)
                .withPropertyValues("store.scopes.acme.quota.max-keys=1")
                .withBean(Store.class, Store::inMemory)
                .run(context -> assertThat(
                                context.getBean(Store.class).scope("acme").quota())
                        .isEqualTo(new Quota(1, 0, 0)));
    }

    @Test
    void aGroupInAScopeIsDeclaredByItsFullName() {
        withProperty(folder, "store.groups[acme:invites].ttl", "10d").run(context -> {
            Group<String> invites = context.getBean(Store.class).scope("acme").group("invites");
            invites.put("key", "value");
            assertThat(invites.entry("key").orElseThrow().ttl()).isNotNull();
            assertThat(folder.resolve("store.db")).exists(); // and not in the module
        });
    }

    @Test
    void aScopeThatCannotBeIsRefusedByItsProperty() {
        withProperty(folder, "store.scopes[a:b].quota.max-keys", "1").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("a namespace must consist of letters, digits and hyphens"));
        assertThat(folder).isEmptyDirectory();
    }

    /** Of a name that could not be given in a line of text. The source named 'test' is that of the runner. */
    static ApplicationContextRunner withProperty(Path folder, String name, String value) {
        return StoreRunner.at(folder).withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("declared", Map.of(name, value))));
    }

    @Test
    void withoutDeclarationsThereAreNoBeans() {
        StoreRunner.at(folder).run(context -> assertThat(context)
                .doesNotHaveBean(Scope.class)
                .doesNotHaveBean(Group.class)
                .hasSingleBean(Store.class));
    }

    @Test
    void aStoreInMemoryLeavesNoFile() {
        StoreRunner.at(folder).withPropertyValues("store.in-memory=true").run(context -> {
            Store store = context.getBean(Store.class);
            store.group("group").put("key", "value");
            assertThat(store.path()).isNull();
        });
        assertThat(folder).isEmptyDirectory();
    }
}
