package dev.ttlstore.spring.security;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2UserCode;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.spring.security.Authorizations.access;
import static dev.ttlstore.spring.security.Authorizations.code;
import static dev.ttlstore.spring.security.Authorizations.full;
import static dev.ttlstore.spring.security.Authorizations.pending;
import static dev.ttlstore.spring.security.Authorizations.refresh;
import static dev.ttlstore.spring.security.Authorizations.withState;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What Spring Security asks of a service for authorizations, and what ours promises beyond; on each engine. */
@ExtendWith(OutputCaptureExtension.class)
abstract class AuthorizationsContract {

    static final AuthorizationSettings SETTINGS = new AuthorizationSettings(Duration.ofMinutes(30), Duration.ofDays(1));

    private static final Map<String, String> PREFIXES = Map.of(
            "state", "state-",
            "code", "code-",
            "access_token", "access-",
            "id_token", "id-",
            "refresh_token", "refresh-",
            "user_code", "user-",
            "device_code", "device-");

    abstract Store store();

    /** Returns the time of the store, with fractions of a millisecond. */
    abstract Instant now();

    final StoreAuthorizationService service(String... allowedClasses) {
        return service(Authorizations.CLIENT, allowedClasses);
    }

    final StoreAuthorizationService service(RegisteredClient client, String... allowedClasses) {
        return new StoreAuthorizationService(
                store(),
                new InMemoryRegisteredClientRepository(client),
                SETTINGS,
                StoreAuthorizationService.jsonMapper(
                        List.of(allowedClasses), getClass().getClassLoader()));
    }

    final @Nullable OAuth2Authorization find(String token, String type) {
        return service().findByToken(token, new OAuth2TokenType(type));
    }

    final long tokenKeys() {
        return store().group(StoreAuthorizationService.TOKENS).count();
    }

    @Test
    void anAuthorizationIsFoundByItsIdAsItWas() {
        OAuth2Authorization saved = full("id", "1", now()).build();
        service().save(saved);
        OAuth2Authorization found = requireNonNull(service().findById("id"));
        assertThat(found).isEqualTo(saved);
        assertThat(requireNonNull(found.getAccessToken()).getToken().getScopes())
                .containsExactly("read");
        assertThat(found.getAuthorizedScopes()).containsExactlyInAnyOrder("read", "write");
        assertThat(service().findById("other")).isNull();
    }

    @Test
    void anAuthorizationIsFoundByEachOfItsTokens() {
        service().save(full("id", "1", now()).build());
        service().save(full("other", "2", now()).build());
        PREFIXES.forEach((type, prefix) -> {
            assertThat(find(prefix + "1", type)).as(type).extracting("id").isEqualTo("id");
            assertThat(service().findByToken(prefix + "2", null))
                    .as(type)
                    .extracting("id")
                    .isEqualTo("other");
            assertThat(find(prefix + "3", type)).as(type).isNull();
            PREFIXES.keySet().stream()
                    .filter(another -> !another.equals(type))
                    .forEach(another -> assertThat(find(prefix + "1", another)).isNull());
        });
        assertThat(find("code-1", "unknown")).isNull();
        assertThat(service().findByToken("unknown", null)).isNull();
    }

    @Test
    void anAuthorizationWithoutATokenIsFoundByItsState() {
        OAuth2Authorization saved = withState("id", "state").build();
        service().save(saved);
        assertThat(find("state", "state")).isEqualTo(saved);
        assertThat(service().findById("id")).isEqualTo(saved);
    }

    @Test
    void tokensWithoutTimesAreKeptAsTheyAre() {
        OAuth2Authorization saved = pending("id")
                .token(new OAuth2AccessToken(OAuth2AccessToken.TokenType.DPOP, "access", null, null))
                .build();
        service().save(saved);
        OAuth2Authorization found = requireNonNull(service().findById("id"));
        assertThat(found).isEqualTo(saved);
        assertThat(requireNonNull(found.getAccessToken()).getToken().getTokenType())
                .isEqualTo(OAuth2AccessToken.TokenType.DPOP);
    }

    @Test
    void anAuthorizationThatIsSavedAgainIsFoundByItsNewTokensOnly() {
        service().save(withState("id", "state").build());
        service().save(pending("id").token(code("code", now())).build());
        assertThat(find("state", "state")).isNull();
        assertThat(find("code", "code")).isNotNull();
        OAuth2Authorization.Builder issued = pending("id").token(code("code", now()));
        service()
                .save(issued.token(access("access1", now()))
                        .token(refresh("refresh1", now()))
                        .build());
        service()
                .save(issued.token(access("access2", now()))
                        .token(refresh("refresh2", now()))
                        .build());
        assertThat(find("access1", "access_token")).isNull();
        assertThat(find("refresh1", "refresh_token")).isNull();
        assertThat(service().findByToken("refresh1", null)).isNull();
        for (String token : List.of("code", "access2", "refresh2")) {
            assertThat(service().findByToken(token, null)).extracting("id").isEqualTo("id");
        }
        assertThat(tokenKeys()).isEqualTo(3);
        assertThat(store().count()).isEqualTo(4);
    }

    @Test
    void anAuthorizationIsRemovedWithAllItsTokens() {
        OAuth2Authorization first = full("id", "1", now()).build();
        service().save(first);
        service().save(full("other", "2", now()).build());
        service()
                .save(OAuth2Authorization.from(first)
                        .token(access("later", now()))
                        .build());
        service().remove(first);
        service().remove(first);
        assertThat(service().findById("id")).isNull();
        assertThat(service().findByToken("later", null)).isNull();
        assertThat(service().findById("other")).isNotNull();
        assertThat(store().count()).isEqualTo(8);
    }

    /** Short codes for users may repeat. */
    @Test
    void theLaterOfTwoAuthorizationsWithTheSameTokenIsFound() {
        service().save(withState("first", "same").build());
        service().save(withState("second", "same").build());
        assertThat(find("same", "state")).extracting("id").isEqualTo("second");
        service().remove(pending("first").build());
        assertThat(find("same", "state")).extracting("id").isEqualTo("second");
    }

    @Test
    void whatAnInstanceRemembersIsNotTrustedAfterAChangeByAnother() {
        StoreAuthorizationService one = service();
        StoreAuthorizationService other = service();
        OAuth2Authorization first = full("id", "1", now()).build();
        one.save(first);
        other.save(OAuth2Authorization.from(first).token(access("later", now())).build());
        assertThat(one.findByToken("access-1", null)).isNull();
        assertThat(one.findByToken("later", null)).extracting("id").isEqualTo("id");
        other.remove(first);
        assertThat(one.findByToken("later", null)).isNull();
        one.save(first);
        assertThat(other.findByToken("access-1", null)).isEqualTo(first);
        OAuth2Authorization found = requireNonNull(one.findById("id"));
        other.save(OAuth2Authorization.from(first).token(access("newer", now())).build());
        one.save(OAuth2Authorization.from(found).token(access("newest", now())).build());
        assertThat(other.findByToken("newer", null)).isNull();
        assertThat(other.findByToken("newest", null)).extracting("id").isEqualTo("id");
        assertThat(store().count()).isEqualTo(8);
        other.save(first);
        one.remove(first);
        assertThat(store().count()).isZero();
    }

    /** Another instance has saved the later one. */
    @Test
    void theLaterOfTwoAuthorizationsWithTheSameShortCodeIsFoundByEachInstance() {
        StoreAuthorizationService one = service();
        for (String id : List.of("first", "second")) {
            StoreAuthorizationService saving = id.equals("first") ? one : service();
            saving.save(pending(id)
                    .token(new OAuth2UserCode("same", now(), now().plusSeconds(300)))
                    .build());
            assertThat(one.findByToken("same", new OAuth2TokenType("user_code")))
                    .extracting("id")
                    .isEqualTo(id);
        }
    }

    @Test
    void idsAndNamesMayBeAnyText() {
        String text = "Zoë\u0001日本 " + "x".repeat(5_000);
        OAuth2Authorization saved = withState(text, text)
                .principalName(text)
                .token(code(text, now()))
                .build();
        service().save(saved);
        assertThat(service().findById(text)).isEqualTo(saved);
        assertThat(find(text, "code")).isEqualTo(saved);
        assertThat(find(text, "state")).isEqualTo(saved);
    }

    @Test
    void emptyIdsAndTokensAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service().findById(""))
                .withMessageContaining("'id'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service().findByToken(" ", null))
                .withMessageContaining("'token'");
    }

    @Test
    void noKeyIsAToken() {
        service().save(full("id", "1", now()).build());
        assertThat(store().groups().flatMap(group -> store().group(group).keys()))
                .hasSize(8)
                .allSatisfy(key -> assertThat(PREFIXES.values()).noneMatch(prefix -> key.contains(prefix + "1")));
        assertThat(store().group(StoreAuthorizationService.TOKENS).getAll().values())
                .containsOnly(Hash.of("id"));
    }

    @Test
    void claimsMayBeValuesOfJava() {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("list", List.of("a", "b"));
        claims.put("long list", List.of("a", "b", "c"));
        claims.put("set", Set.of("a"));
        claims.put("map", Map.of("key", "value"));
        claims.put("long map", Map.of("key", List.of(1, 2, 3), "other", Map.of("a", Set.of("b", "c"))));
        claims.put("time", now());
        claims.put("number", 42);
        claims.put("decimal", new BigDecimal("1.50"));
        claims.put("flag", true);
        claims.put("uri", URI.create("https://example.org"));
        claims.put("id", UUID.fromString("8e03978e-40d5-43dd-8a7f-000000000001"));
        OAuth2Authorization saved = pending("id")
                .token(
                        access("access", now()),
                        metadata -> metadata.put(OAuth2Authorization.Token.CLAIMS_METADATA_NAME, claims))
                .build();
        service().save(saved);
        assertThat(requireNonNull(requireNonNull(service().findById("id")).getAccessToken())
                        .getClaims())
                .isEqualTo(claims);
    }

    /** An attribute's value of a class of the application. */
    public record Tenant(String name) {}

    @Test
    void whatCouldNotBeReadIsRefused() {
        OAuth2Authorization saved =
                pending("id").attribute("tenant", new Tenant("secret")).build();
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> service().save(saved))
                .withMessageContaining(Tenant.class.getName())
                .withMessageContaining("'store.authorizations.allowed-classes'")
                .withMessageNotContaining("secret");
        assertThat(store().count()).isZero();
        service(Tenant.class.getName()).save(saved);
        assertThat(service(Tenant.class.getName()).findById("id")).isEqualTo(saved);
    }

    /** P25. */
    @Test
    void whatWouldNotBeTheSameIsRefused() {
        OAuth2Authorization saved = pending("id")
                .attribute("tenants", new HashMap<>(Map.of(5L, "secret")))
                .build();
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> service().save(saved))
                .withMessageContaining("a java.lang.Long would become a java.lang.String")
                .withMessageNotContaining("secret");
        assertThat(store().count()).isZero();
    }

    @Test
    void anIdTokenWithoutClaimsIsRefused() {
        OAuth2Authorization saved =
                pending("id").token(Authorizations.idToken("secret", now())).build();
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> service().save(saved))
                .withMessageContaining("'id_token'")
                .withMessageNotContaining("secret");
    }

    @Test
    void whatCannotBeReadIsAbsent(CapturedOutput output) {
        OAuth2Authorization saved = pending("id")
                .attribute("tenant", new Tenant("secret"))
                .token(access("access", now()))
                .build();
        service(Tenant.class.getName()).save(saved);
        assertThat(service().findById("id")).isNull();
        assertThat(service().findByToken("access", null)).isNull();
        assertThat(output)
                .contains("An entry of the group 'authorizations' cannot be read; it counts as absent")
                .contains(Tenant.class.getName())
                .doesNotContain("secret");
        service().save(pending("id").token(access("new", now())).build());
        assertThat(tokenKeys()).isEqualTo(1);
    }

    @Test
    void whatIsNoAuthorizationIsAbsent(CapturedOutput output) {
        Group<byte[]> bytes = store().group(StoreAuthorizationService.GROUP, Codec.bytes());
        for (String bad : List.of("", "{", "[]", "{}", "secret", "null", "{\"id\":\"id\"}")) {
            bytes.put(Hash.of("id"), bad.getBytes(StandardCharsets.UTF_8));
            assertThat(service().findById("id")).as(bad).isNull();
            service().save(pending("id").token(access("access", now())).build());
            assertThat(service().findById("id")).as(bad).isNotNull();
        }
        assertThat(output).contains("cannot be read; it counts as absent").doesNotContain("secret");
    }

    @Test
    void anAuthorizationWhoseClientIsGoneIsAbsent(CapturedOutput output) {
        service().save(pending("id").token(access("secret-token", now())).build());
        StoreAuthorizationService without = service(Authorizations.client("another"));
        assertThat(without.findById("id")).isNull();
        assertThat(without.findByToken("secret-token", null)).isNull();
        assertThat(output)
                .contains("An authorization of the registered client 'registered-1' counts as absent")
                .doesNotContain("secret-token");
    }

    @Test
    void authorizationsAreIndependentOfEachOtherUnderLoad() throws Exception {
        List<Callable<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String id = "id" + i;
            callers.add(() -> {
                boolean found = true;
                for (int round = 0; round < 4; round++) {
                    service().save(full(id, id + round, now()).build());
                    found &= find("access-" + id + round, "access_token") != null;
                }
                return found;
            });
        }
        assertThat(Concurrently.call(callers)).containsOnly(true);
        assertThat(tokenKeys()).isEqualTo(28);
    }

    /** Two instances that refresh at once leave nothing behind by which the tokens of one of them would be found. */
    @Test
    void ofTwoThatSaveAtOnceOneIsLater() throws Exception {
        for (int round = 0; round < 4; round++) {
            service().save(pending("id").token(access("before" + round, now())).build());
            String one = "one" + round;
            String other = "other" + round;
            Concurrently.call(List.of(() -> save(one), () -> save(other)));
            String current = requireNonNull(
                            requireNonNull(service().findById("id")).getAccessToken())
                    .getToken()
                    .getTokenValue();
            assertThat(current).isIn(one, other);
            assertThat(tokenKeys()).isEqualTo(1);
            assertThat(service().findByToken(current.equals(one) ? other : one, null))
                    .isNull();
        }
    }

    private boolean save(String token) {
        service().save(pending("id").token(access(token, now())).build());
        return true;
    }

    @Test
    void attributesOfMutableMapsStaySeparate() {
        Map<String, Object> mutable = new HashMap<>(Map.of("a", "b"));
        service().save(pending("id").attribute("map", mutable).build());
        mutable.put("a", "c");
        assertThat(requireNonNull(service().findById("id")).<Map<String, Object>>getAttribute("map"))
                .isEqualTo(Map.of("a", "b"));
    }
}
