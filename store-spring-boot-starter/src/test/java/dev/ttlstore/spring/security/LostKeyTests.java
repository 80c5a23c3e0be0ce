package dev.ttlstore.spring.security;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;

import dev.ttlstore.Store;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;

import static dev.ttlstore.spring.security.Authorizations.access;
import static dev.ttlstore.spring.security.Authorizations.pending;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** What cannot be decrypted counts as absent: after the loss of a key, or of entries that are older than the encryption. */
@SuppressWarnings("JavaUtilDate") // Spring Security has it
class LostKeyTests {

    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    /** Seals values, and opens none. */
    private static final class Lost implements ValueCipher {

        @Override
        public byte[] seal(String group, String key, byte[] value) {
            return value;
        }

        @Override
        public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
            throw new GeneralSecurityException("of a lost key");
        }
    }

    private static StoreAuthorizationService authorizations(Store store) {
        return new StoreAuthorizationService(
                store,
                new InMemoryRegisteredClientRepository(Authorizations.CLIENT),
                new AuthorizationSettings(HOUR, HOUR),
                StoreAuthorizationService.jsonMapper(List.of(), LostKeyTests.class.getClassLoader()));
    }

    private static StoreOidcSessionRegistry logins(Store store) {
        return new StoreOidcSessionRegistry(store, HOUR, OidcLoginsKit.users());
    }

    private static PersistentRememberMeToken token() {
        return new PersistentRememberMeToken("ann", "series", "token", Date.from(Instant.now()));
    }

    @Test
    void whatCannotBeDecryptedIsAbsent() {
        Path file = folder.resolve("store.db");
        OAuth2Authorization authorization =
                pending("id").token(access("access", Instant.now())).build();
        try (Store store = Store.open(file)) {
            new StorePersistentTokenRepository(store, HOUR).createNewToken(token());
            authorizations(store).save(authorization);
            new StoreChatMemoryRepository(store, HOUR).saveAll("chat", List.of(new UserMessage("Hello")));
            store.group(StoreOneTimeTokenService.GROUP).put(Hash.of("token"), "ann", HOUR);
            new StoreAuthorizationConsentService(store, HOUR).save(ConsentsContract.consent("client", "ann"));
            logins(store).saveSessionInformation(OidcLoginsKit.login("session", "ann", "provider"));
        }
        try (Store store =
                Store.builder().path(file).encrypt(group -> true, new Lost()).open()) {
            StorePersistentTokenRepository logins = new StorePersistentTokenRepository(store, HOUR);
            assertThat(logins.getTokenForSeries("series")).isNull();
            logins.updateToken("series", "new", new Date());
            logins.removeUserTokens("ann");
            StoreAuthorizationService authorizations = authorizations(store);
            assertThat(authorizations.findById("id")).isNull();
            assertThat(authorizations.findByToken("access", null)).isNull();
            authorizations.save(authorization);
            authorizations.remove(authorization);
            assertThat(store.group(StoreAuthorizationService.GROUP).count()).isZero();
            assertThat(new StoreChatMemoryRepository(store, HOUR).findByConversationId("chat"))
                    .isEmpty();
            assertThat(store.group(StorePersistentTokenRepository.GROUP).count())
                    .isZero();
            assertThat(new StoreAuthorizationConsentService(store, HOUR).findById("client", "ann"))
                    .isNull();
            assertThat(logins(store)
                            .removeSessionInformation(
                                    OidcLoginsKit.logoutAt("provider").build()))
                    .isEmpty();
            logins(store).ended("session");
            assertThat(store.group(StoreOidcSessionRegistry.GROUP).count()).isZero();
        }
    }

    /** As if the group of tokens alone had been encrypted. */
    @Test
    void tokensThatCannotBeDecryptedDoNotKeepAnAuthorizationFromChanging() {
        Path file = folder.resolve("store.db");
        try (Store store = Store.open(file)) {
            authorizations(store)
                    .save(pending("id").token(access("access", Instant.now())).build());
        }
        try (Store store = Store.builder()
                .path(file)
                .encrypt(StoreAuthorizationService.TOKENS::equals, new Lost())
                .open()) {
            StoreAuthorizationService authorizations = authorizations(store);
            OAuth2Authorization found = requireNonNull(authorizations.findById("id"));
            authorizations.save(OAuth2Authorization.from(found)
                    .token(access("other", Instant.now()))
                    .build());
            OAuth2Authorization saved = requireNonNull(authorizations.findById("id"));
            assertThat(requireNonNull(saved.getAccessToken()).getToken().getTokenValue())
                    .isEqualTo("other");
            authorizations.remove(saved);
            assertThat(authorizations.findById("id")).isNull();
        }
    }
}
