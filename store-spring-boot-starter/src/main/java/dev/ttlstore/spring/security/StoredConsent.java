package dev.ttlstore.spring.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * A consent as it is stored.
 *
 * @param clientId the id of the registered client
 * @param principalName the name of the user
 * @param authorities what the user has granted, at least one
 */
record StoredConsent(String clientId, String principalName, Set<String> authorities) {

    static final Codec<StoredConsent> CODEC = new OfFields();

    /**
     * Returns what to store of a consent.
     *
     * @throws CodecException if an authority is more than its name, which {@link #consent} could not give back
     */
    static StoredConsent of(OAuth2AuthorizationConsent consent) {
        Set<String> names = new TreeSet<>();
        for (GrantedAuthority authority : consent.getAuthorities()) {
            if (!(authority instanceof SimpleGrantedAuthority simple)) {
                throw new CodecException(
                        "An authority of a consent is a " + authority.getClass().getName()
                                + ", and could not be read again; use a SimpleGrantedAuthority");
            }
            names.add(simple.getAuthority());
        }
        return new StoredConsent(consent.getRegisteredClientId(), consent.getPrincipalName(), names);
    }

    OAuth2AuthorizationConsent consent() {
        return OAuth2AuthorizationConsent.withId(clientId, principalName)
                .authorities(all -> authorities.forEach(name -> all.add(new SimpleGrantedAuthority(name))))
                .build();
    }

    private static final class OfFields implements Codec<StoredConsent> {

        private static final int AUTHORITIES = 2;

        private final Fields fields = new Fields();

        @Override
        public byte[] encode(StoredConsent consent) {
            List<@Nullable String> parts = new ArrayList<>();
            parts.add(consent.clientId);
            parts.add(consent.principalName);
            parts.addAll(consent.authorities);
            return fields.encode(parts);
        }

        @Override
        public StoredConsent decode(byte[] bytes) {
            List<@Nullable String> parts = fields.decode(bytes);
            if (parts.size() <= AUTHORITIES || parts.stream().anyMatch(Objects::isNull)) {
                throw Fields.malformed();
            }
            Set<String> authorities = new TreeSet<>();
            parts.subList(AUTHORITIES, parts.size()).forEach(name -> authorities.add(Objects.requireNonNull(name)));
            return new StoredConsent(
                    Objects.requireNonNull(parts.get(0)), Objects.requireNonNull(parts.get(1)), authorities);
        }
    }
}
