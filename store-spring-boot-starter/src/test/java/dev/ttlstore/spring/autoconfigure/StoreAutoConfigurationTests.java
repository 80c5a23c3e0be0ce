package dev.ttlstore.spring.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.json.JacksonCodecFactory;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class StoreAutoConfigurationTests {

    @TempDir
    private Path folder;

    record Invite(String mail, int seats) {}

    @Test
    void aStoreIsThereAtThePath() {
        StoreRunner.at(folder).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("theme", "dark");
            assertThat(store.stats().path()).isEqualTo(folder.toRealPath().resolve("store.db"));
        });
        StoreRunner.at(folder).run(context -> assertThat(
                        context.getBean(Store.class).group("config").get("theme"))
                .contains("dark"));
    }

    @Test
    void thePathIsUnderTheWorkingDirectoryUnlessSet() {
        assertThat(Defaults.ofProperties().path()).isEqualTo("data/store.db");
    }

    @Test
    void thePathIsSaidInTheLogAtStart(CapturedOutput output) {
        StoreRunner.at(folder)
                .run(context -> assertThat(output).contains("The store is in " + folder.resolve("store.db")));
    }

    @Test
    void aBlankPathIsRefusedByTheNameOfItsProperty() {
        StoreRunner.at(folder)
                .withPropertyValues("store.path= ")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("store.path"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"~/store.db", "file:store.db", "jdbc:sqlite:store.db", ":memory:"})
    void whatIsAPlaceElsewhereIsNotTakenForAPath(String path) {
        StoreRunner.at(folder).withPropertyValues("store.path=" + path).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("store.path")
                .hasMessageContaining("it is not a path"));
    }

    @Test
    void theStoreClosesWithTheContext() {
        StoreRunner.at(folder).run(context -> {
            Store store = context.getBean(Store.class);
            context.close();
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
        });
        Store.open(folder.resolve("store.db")).close();
    }

    @Test
    void theUsersOwnStoreWins() {
        StoreRunner.at(folder).withBean("mine", Store.class, Store::inMemory).run(context -> {
            assertThat(context).hasSingleBean(Store.class).hasBean("mine");
            assertThat(folder.resolve("store.db")).doesNotExist();
        });
    }

    @Test
    void valuesOfAClassAreKeptAsJson() {
        StoreRunner.at(folder).run(context -> {
            Store store = context.getBean(Store.class);
            Group<Invite> invites = store.group("invites", Invite.class);
            invites.put("a", new Invite("ann@example.org", 3));
            assertThat(invites.get("a")).contains(new Invite("ann@example.org", 3));
            assertThat(store.group("invites").get("a")).contains("{\"mail\":\"ann@example.org\",\"seats\":3}");
        });
    }

    @Test
    void aStoredValueThatNoLongerFitsItsClassIsNotQuotedInTheException() {
        StoreRunner.at(folder).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("invites").put("a", "{\"mail\":\"ann@example.org\",\"seats\":\"hunter2\"}");
            Group<Invite> invites = store.group("invites", Invite.class);
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> invites.get("a"))
                    .withNoCause()
                    .withMessageContaining(Invite.class.getName())
                    .withMessageNotContaining("hunter2");
        });
    }

    @Test
    void aValueThatNoLongerFitsItsClassIsAbsentOnRequest() {
        StoreRunner.at(folder)
                .withPropertyValues("store.unreadable-values=absent")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("invites").put("a", "no JSON at all");
                    assertThat(store.group("invites", Invite.class).get("a")).isEmpty();
                    assertThat(store.activity().unreadable()).isOne();
                });
    }

    @Test
    void withoutJacksonTextStillWorksAndAClassIsRefusedWithTheRemedy() {
        StoreRunner.at(folder)
                .withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .run(context -> {
                    assertThat(context).doesNotHaveBean(JacksonCodecFactory.class);
                    Store store = context.getBean(Store.class);
                    store.group("config").put("theme", "dark");
                    assertThatExceptionOfType(CodecException.class)
                            .isThrownBy(() -> store.group("invites", Invite.class))
                            .withMessageContaining("codecs");
                });
    }

    @Test
    void theUsersOwnCodecFactoryWins() {
        StoreRunner.at(folder).withUserConfiguration(OwnCodecs.class).run(context -> {
            assertThat(context).doesNotHaveBean(JacksonCodecFactory.class);
            Store store = context.getBean(Store.class);
            store.group("numbers", Integer.class).put("a", 7);
            assertThat(store.group("numbers").get("a")).contains("#7");
        });
    }

    @Test
    void timeIsThatOfTheApplicationsClock() {
        Instant now = Instant.parse("2030-01-01T00:00:00Z");
        StoreRunner.at(folder)
                .withBean(Clock.class, () -> Clock.fixed(now, ZoneOffset.UTC))
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("config").put("banner", "hello", Duration.ofMinutes(1));
                    assertThat(store.group("config").entry("banner"))
                            .map(Entry::expiresAt)
                            .contains(now.plusSeconds(60));
                });
    }

    @Test
    void noDataSourceIsNeededAndNoneIsPublished() {
        StoreRunner.at(folder).run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(Store.class)
                .doesNotHaveBean(DataSource.class));
    }

    @Test
    void theApplicationsOwnDataSourceStaysTheOnlyOne() {
        StoreRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:own")
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(DataSource.class)
                            .hasSingleBean(JdbcTemplate.class)
                            .hasSingleBean(PlatformTransactionManager.class);
                    assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT H2VERSION()", String.class))
                            .isNotBlank();
                    context.getBean(Store.class).group("config").put("theme", "dark");
                });
    }

    @Test
    void theFileIsReadableByItsOwnerAlone() {
        StoreRunner.at(folder.resolve("made/on/the/way")).run(context -> {
            Path file = folder.resolve("made/on/the/way/store.db");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnCodecs {

        @Bean
        CodecFactory codecFactory() {
            return new CodecFactory() {
                @Override
                @SuppressWarnings("unchecked") // asked for Integer only
                public <V> Codec<V> codec(Class<V> type) {
                    return (Codec<V>) new HashedNumbers();
                }
            };
        }
    }

    private static final class HashedNumbers implements Codec<Integer> {

        @Override
        public byte[] encode(Integer value) {
            return ("#" + value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Integer decode(byte[] bytes) {
            return Integer.valueOf(new String(bytes, StandardCharsets.UTF_8).substring(1));
        }
    }
}
