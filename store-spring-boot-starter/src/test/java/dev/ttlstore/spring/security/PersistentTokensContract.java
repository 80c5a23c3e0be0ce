package dev.ttlstore.spring.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What Spring Security asks of a repository for remember-me logins, and what ours promises beyond; on each engine. */
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("JavaUtilDate") // that is what Spring Security has
abstract class PersistentTokensContract {

    static final Duration TTL = Duration.ofDays(14);

    static final Date MONDAY = new Date(1_790_000_000_123L);
    static final Date TUESDAY = new Date(1_790_086_400_456L);

    abstract Store store();

    final StorePersistentTokenRepository repository() {
        return new StorePersistentTokenRepository(store(), TTL);
    }

    static PersistentRememberMeToken token(String user, String series, String value) {
        return new PersistentRememberMeToken(user, series, value, MONDAY);
    }

    final Group<byte[]> logins() {
        return store().group(StorePersistentTokenRepository.GROUP, Codec.bytes());
    }

    @Test
    void aLoginIsFoundByItsSeries() {
        repository().createNewToken(token("joeuser", "joesseries", "atoken"));
        PersistentRememberMeToken found = requireNonNull(repository().getTokenForSeries("joesseries"));
        assertThat(found.getUsername()).isEqualTo("joeuser");
        assertThat(found.getSeries()).isEqualTo("joesseries");
        assertThat(found.getTokenValue()).isEqualTo("atoken");
        assertThat(found.getDate()).isEqualTo(MONDAY);
        assertThat(repository().getTokenForSeries("missing")).isNull();
    }

    @Test
    void aSeriesCannotBeCreatedTwice() {
        repository().createNewToken(token("joeuser", "joesseries", "first"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> repository().createNewToken(token("ann", "joesseries", "second")))
                .withMessageContaining("series")
                .withMessageNotContaining("joesseries");
        assertThat(requireNonNull(repository().getTokenForSeries("joesseries")).getTokenValue())
                .isEqualTo("first");
        repository().removeUserTokens("ann");
        assertThat(repository().getTokenForSeries("joesseries")).isNotNull();
    }

    @Test
    void anUpdateReplacesTokenAndDate() {
        repository().createNewToken(token("joeuser", "joesseries", "atoken"));
        repository().updateToken("joesseries", "newtoken", TUESDAY);
        PersistentRememberMeToken found = requireNonNull(repository().getTokenForSeries("joesseries"));
        assertThat(found.getUsername()).isEqualTo("joeuser");
        assertThat(found.getTokenValue()).isEqualTo("newtoken");
        assertThat(found.getDate()).isEqualTo(TUESDAY);
    }

    @Test
    void anUpdateOfWhatIsNotThereChangesNothing() {
        repository().updateToken("joesseries", "newtoken", TUESDAY);
        assertThat(store().count()).isZero();
    }

    @Test
    void allLoginsOfAUserAreRemovedAndNoOthers() {
        repository().createNewToken(token("joeuser", "series1", "token"));
        repository().createNewToken(token("joeuser", "series2", "token"));
        repository().createNewToken(token("joeuser2", "series3", "token"));
        repository().createNewToken(token("joe", "series4", "token"));
        repository().removeUserTokens("joeuser");
        repository().removeUserTokens("nobody");
        assertThat(Stream.of("series1", "series2", "series3", "series4")
                        .map(series -> repository().getTokenForSeries(series) != null))
                .containsExactly(false, false, true, true);
        repository().updateToken("series1", "newtoken", TUESDAY);
        assertThat(repository().getTokenForSeries("series1")).isNull();
        assertThat(store().count()).isEqualTo(4);
    }

    @Test
    void namesOfUsersMayBeAnyText() {
        String name = "Zoë\n\u0001 日本 " + "x".repeat(5_000);
        repository().createNewToken(token(name, "series", "token"));
        assertThat(requireNonNull(repository().getTokenForSeries("series")).getUsername())
                .isEqualTo(name);
        repository().removeUserTokens(name);
        assertThat(store().count()).isZero();
    }

    @Test
    void oneOfManyCallersCreatesASeries() throws Exception {
        List<Callable<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String user = "user" + i;
            callers.add(() -> {
                try {
                    repository().createNewToken(token(user, "series", "token"));
                    return true;
                } catch (IllegalArgumentException e) {
                    return false;
                }
            });
        }
        assertThat(Concurrently.call(callers)).containsOnlyOnce(true);
        assertThat(store().count()).isEqualTo(2);
    }

    @Test
    void aRemovedLoginDoesNotComeBackByAnUpdateAtTheSameTime() throws Exception {
        for (int round = 0; round < 4; round++) {
            repository().createNewToken(token("joeuser", "series", "token"));
            List<Callable<Boolean>> callers = List.of(
                    () -> {
                        repository().updateToken("series", "newtoken", TUESDAY);
                        return true;
                    },
                    () -> {
                        repository().removeUserTokens("joeuser");
                        return true;
                    });
            assertThat(Concurrently.call(callers)).containsOnly(true);
            assertThat(store().count()).isZero();
        }
    }

    @Test
    void theStoreHasNeitherTheSeriesNorTheToken() {
        repository().createNewToken(token("joeuser", "joesseries", "atoken"));
        repository().updateToken("joesseries", "newtoken", TUESDAY);
        List<String> stored = store().groups()
                .flatMap(group -> store().group(group, Codec.bytes()).entries())
                .map(entry -> entry.key() + new String(entry.value(), StandardCharsets.ISO_8859_1))
                .toList();
        assertThat(stored).hasSize(2).allSatisfy(text -> assertThat(text)
                .doesNotContain("joesseries", "atoken", "newtoken"));
    }

    @Test
    void theTokenOfOneSeriesIsOfNoUseForAnother() {
        repository().createNewToken(token("joeuser", "series1", "token1"));
        repository().createNewToken(token("ann", "series2", "token2"));
        logins().put(Hash.of("series2"), logins().get(Hash.of("series1")).orElseThrow());
        assertThat(repository().getTokenForSeries("series2")).isNull();
    }

    @Test
    void whatCannotBeReadIsAbsent(CapturedOutput output) {
        byte[] good = logins(token("joeuser", "series", "token"));
        for (byte[] bad : List.of(
                new byte[] {1, 2, 3},
                new byte[] {0, 0, 0, 9},
                new byte[0],
                new byte[] {-1, -1, -1, -1},
                shorter(good))) {
            logins().put(Hash.of("series"), bad);
            assertThat(repository().getTokenForSeries("series")).isNull();
            repository().updateToken("series", "newtoken", TUESDAY);
            assertThat(logins().get(Hash.of("series"))).contains(bad);
        }
        assertThat(output)
                .contains("An entry of the group 'remember-me' cannot be read; it counts as absent")
                .doesNotContain("joeuser");
        repository().removeUserTokens("joeuser");
        assertThat(store().count()).isZero();
    }

    private byte[] logins(PersistentRememberMeToken token) {
        repository().createNewToken(token);
        return logins().get(Hash.of(token.getSeries())).orElseThrow();
    }

    private static byte[] shorter(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length - 1);
    }
}
