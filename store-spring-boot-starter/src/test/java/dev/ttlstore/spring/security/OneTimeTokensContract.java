package dev.ttlstore.spring.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/** What Spring Security asks of a service for one-time tokens, and what ours promises beyond; on each engine. */
@ExtendWith(OutputCaptureExtension.class)
abstract class OneTimeTokensContract {

    abstract Store store();

    final StoreOneTimeTokenService service() {
        return new StoreOneTimeTokenService(store());
    }

    static OneTimeTokenAuthenticationToken presented(String token) {
        return new OneTimeTokenAuthenticationToken(token);
    }

    static @Nullable OneTimeToken consume(StoreOneTimeTokenService service, OneTimeToken token) {
        return service.consume(presented(token.getTokenValue()));
    }

    @Test
    void aTokenIsConsumedOnce() {
        OneTimeToken token = service().generate(new GenerateOneTimeTokenRequest("ann"));
        assertThat(token.getUsername()).isEqualTo("ann");
        OneTimeToken consumed = requireNonNull(consume(service(), token));
        assertThat(consumed.getTokenValue()).isEqualTo(token.getTokenValue());
        assertThat(consumed.getUsername()).isEqualTo("ann");
        assertThat(consumed.getExpiresAt()).isCloseTo(token.getExpiresAt(), within(1, ChronoUnit.MINUTES));
        assertThat(consume(service(), token)).isNull();
        assertThat(store().count()).isZero();
    }

    @Test
    void aTokenThatDoesNotExistIsNull() {
        assertThat(service().consume(presented("unknown"))).isNull();
        assertThat(service().consume(presented(""))).isNull();
        assertThat(service().consume(presented("half \uD83D of a pair"))).isNull();
    }

    @Test
    void tokensAreIndependent() {
        OneTimeToken anns = service().generate(new GenerateOneTimeTokenRequest("ann"));
        OneTimeToken second = service().generate(new GenerateOneTimeTokenRequest("ann"));
        OneTimeToken bens = service().generate(new GenerateOneTimeTokenRequest("ben"));
        assertThat(consume(service(), second)).isNotNull();
        assertThat(requireNonNull(consume(service(), bens)).getUsername()).isEqualTo("ben");
        assertThat(requireNonNull(consume(service(), anns)).getUsername()).isEqualTo("ann");
    }

    @Test
    void aNewerTokenEndsTheOlderOnesOfItsUserIfThatIsSet() {
        StoreOneTimeTokenService service = new StoreOneTimeTokenService(store(), true);
        OneTimeToken bens = service.generate(new GenerateOneTimeTokenRequest("ben"));
        OneTimeToken first = service.generate(new GenerateOneTimeTokenRequest("ann", Duration.ofHours(1)));
        OneTimeToken second = service.generate(new GenerateOneTimeTokenRequest("ann"));
        assertThat(consume(service, first)).isNull();
        assertThat(consume(service, second)).isNotNull();
        OneTimeToken third = service.generate(new GenerateOneTimeTokenRequest("ann"));
        assertThat(requireNonNull(consume(service, third)).getUsername()).isEqualTo("ann");
        assertThat(consume(service, bens)).isNotNull();
    }

    @Test
    void ofTokensThatAreGeneratedAtOnceOneStays() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<Callable<OneTimeToken>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                StoreOneTimeTokenService service = new StoreOneTimeTokenService(store(), true);
                callers.add(() -> service.generate(new GenerateOneTimeTokenRequest("ann")));
            }
            assertThat(Concurrently.call(callers))
                    .filteredOn(token -> consume(service(), token) != null)
                    .hasSize(1);
        }
    }

    @Test
    void anOlderTokenThatCannotBeReadIsReplaced() {
        store().group(NewestTokens.GROUP, Codec.bytes())
                .put(Hash.of("ann"), new byte[] {(byte) 0xFF}, Duration.ofMinutes(1));
        StoreOneTimeTokenService service = new StoreOneTimeTokenService(store(), true);
        OneTimeToken token = service.generate(new GenerateOneTimeTokenRequest("ann"));
        assertThat(consume(service, token)).isNotNull();
    }

    @Test
    void namesOfUsersMayBeAnyText() {
        String name = "Zoë\n\u0001 日本 " + "x".repeat(5_000);
        OneTimeToken token = service().generate(new GenerateOneTimeTokenRequest(name));
        assertThat(requireNonNull(consume(service(), token)).getUsername()).isEqualTo(name);
    }

    @Test
    void theRequestSaysHowLongATokenIsValid() {
        service().generate(new GenerateOneTimeTokenRequest("ann", Duration.ofMinutes(42)));
        Entry<String> entry =
                store().group(StoreOneTimeTokenService.GROUP).entries().toList().get(0);
        assertThat(entry.expiresAt()).isEqualTo(entry.createdAt().plus(Duration.ofMinutes(42)));
    }

    @Test
    void aTokenThatIsNeverValidIsRefused() {
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> service().generate(new GenerateOneTimeTokenRequest("ann", ttl)))
                    .withMessageContaining("'expiresIn'");
        }
    }

    @Test
    void oneOfManyCallersGetsTheToken() throws Exception {
        for (int round = 0; round < 5; round++) {
            OneTimeToken token = service().generate(new GenerateOneTimeTokenRequest("ann"));
            List<Callable<Boolean>> callers = new ArrayList<>();
            for (StoreOneTimeTokenService service : services(4)) {
                callers.add(() -> consume(service, token) != null);
            }
            assertThat(Concurrently.call(callers)).containsOnlyOnce(true);
        }
    }

    /** Returns services, of several instances if the engine allows that. */
    List<StoreOneTimeTokenService> services(int count) {
        List<StoreOneTimeTokenService> services = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            services.add(service());
        }
        return services;
    }

    @Test
    void theStoreDoesNotHaveTheToken() {
        String token =
                service().generate(new GenerateOneTimeTokenRequest("ann")).getTokenValue();
        Entry<byte[]> stored = store().group(StoreOneTimeTokenService.GROUP, Codec.bytes())
                .entries()
                .toList()
                .get(0);
        assertThat(token).hasSizeGreaterThan(40).matches("[\\w-]+");
        assertThat(stored.key()).doesNotContain(token);
        assertThat(new String(stored.value(), StandardCharsets.ISO_8859_1)).isEqualTo("ann");
    }

    @Test
    void whatCannotBeReadIsAbsent(CapturedOutput output) {
        store().group(StoreOneTimeTokenService.GROUP, Codec.bytes())
                .put(Hash.of("secret-token"), new byte[] {(byte) 0xFF}, Duration.ofMinutes(1));
        assertThat(service().consume(presented("secret-token"))).isNull();
        assertThat(output)
                .contains("An entry of the group 'one-time-tokens' cannot be read; it counts as absent")
                .doesNotContain("secret-token");
    }
}
