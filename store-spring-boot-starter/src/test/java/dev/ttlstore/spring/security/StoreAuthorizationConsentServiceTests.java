package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Consents in a store in memory: what ours promises beyond the contract. */
@ExtendWith(OutputCaptureExtension.class)
class StoreAuthorizationConsentServiceTests extends ConsentsContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();

    @Override
    StoreAuthorizationConsentService service() {
        return service(Duration.ZERO);
    }

    private StoreAuthorizationConsentService service(Duration ttl) {
        return new StoreAuthorizationConsentService(store, ttl);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aConsentLivesForTheTtlOrForEver() {
        Duration year = Duration.ofDays(365);
        service(year).save(consent(CLIENT, "ann"));
        service().save(consent(CLIENT, "ben"));
        clock.advance(year.minusMillis(1));
        assertThat(service().findById(CLIENT, "ann")).isNotNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(service().findById(CLIENT, "ann")).isNull();
        clock.advance(year.multipliedBy(100));
        assertThat(service().findById(CLIENT, "ben")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service(Duration.ofSeconds(-1)))
                .withMessageContaining("'ttl'");
    }

    @Test
    void namesAndAuthoritiesMayBeAnyText() {
        for (String text : List.of("a,b", "Zo\u00eb\n\u0001 \u65e5\u672c", "\ud800", "x".repeat(5_000))) {
            OAuth2AuthorizationConsent consent = consent(text, text, text);
            service().save(consent);
            assertThat(service().findById(text, text)).isEqualTo(consent);
            assertThat(service().findById(text, text + "?")).isNull();
        }
    }

    /** Spring Security's service for JDBC would give back another one. */
    @Test
    void anAuthorityThatIsMoreThanItsNameIsRefused() {
        GrantedAuthority own = () -> "secret";
        OAuth2AuthorizationConsent consent =
                OAuth2AuthorizationConsent.withId(CLIENT, "ann").authority(own).build();
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> service().save(consent))
                .withMessageContaining(own.getClass().getName())
                .withMessageNotContaining("secret");
        assertThat(store.count()).isZero();
    }

    @Test
    void whatCannotBeReadIsAbsent(CapturedOutput output) {
        service().save(consent(CLIENT, "secret-user"));
        var bytes = store.group(StoreAuthorizationConsentService.GROUP, Codec.bytes());
        String key = Hash.of(CLIENT, "secret-user");
        byte[] good = bytes.get(key).orElseThrow();
        for (byte[] bad : List.of(new byte[0], new byte[] {1}, Arrays.copyOf(good, good.length / 2))) {
            bytes.put(key, bad);
            assertThat(service().findById(CLIENT, "secret-user")).isNull();
        }
        assertThat(output)
                .contains("An entry of the group 'authorization-consents' cannot be read; it counts as absent")
                .doesNotContain("secret");
    }
}
