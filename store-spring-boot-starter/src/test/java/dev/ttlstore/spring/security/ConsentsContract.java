package dev.ttlstore.spring.security;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What Spring Security's services for consents do, and so must ours; on each engine. */
abstract class ConsentsContract {

    static final String CLIENT = "id of shop";

    abstract OAuth2AuthorizationConsentService service();

    static OAuth2AuthorizationConsent consent(String client, String user, String... authorities) {
        OAuth2AuthorizationConsent.Builder consent =
                OAuth2AuthorizationConsent.withId(client, user).scope("read");
        for (String authority : authorities) {
            consent.authority(new SimpleGrantedAuthority(authority));
        }
        return consent.build();
    }

    @Test
    void aConsentIsFoundAsItWas() {
        OAuth2AuthorizationConsent consent = consent(CLIENT, "ann", "SCOPE_write", "authority-a");
        service().save(consent);
        assertThat(service().findById(CLIENT, "ann")).isEqualTo(consent);
        assertThat(service().findById(CLIENT, "ben")).isNull();
        assertThat(service().findById("other", "ann")).isNull();
    }

    @Test
    void aConsentReplacesThatOfTheSameClientAndUser() {
        service().save(consent(CLIENT, "ann", "SCOPE_write"));
        OAuth2AuthorizationConsent later = consent(CLIENT, "ann", "SCOPE_other");
        service().save(later);
        assertThat(service().findById(CLIENT, "ann")).isEqualTo(later);
    }

    @Test
    void aConsentIsRevoked() {
        OAuth2AuthorizationConsent consent = consent(CLIENT, "ann");
        service().save(consent);
        service().save(consent(CLIENT, "ben"));
        service().remove(consent);
        service().remove(consent);
        assertThat(service().findById(CLIENT, "ann")).isNull();
        assertThat(service().findById(CLIENT, "ben")).isNotNull();
    }

    @SuppressWarnings("NullAway") // null is the point
    @Test
    void absentArgumentsAreRefused() {
        OAuth2AuthorizationConsent none = null;
        assertThatIllegalArgumentException().isThrownBy(() -> service().save(none));
        assertThatIllegalArgumentException().isThrownBy(() -> service().remove(none));
        for (@Nullable String absent : new @Nullable String[] {null, "", " "}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> service().findById(absent, "ann"))
                    .withMessageContaining("registeredClientId");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> service().findById(CLIENT, absent))
                    .withMessageContaining("principalName");
        }
    }
}
