package dev.ttlstore.sample.web;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.Quota;

/**
 * Configuration properties of the sample. The quotas of teams are the starter's {@code store.scopes.<team>.quota.*}.
 *
 * @param team Team of the first page, unless its address names another.
 * @param loginTeams Teams whose secrets are created only by someone who has logged in.
 * @param senders Logins of senders, who cannot open the operator's page.
 * @param maxTtl Maximum ttl of a secret whose sender has not logged in, at most a year.
 * @param createLimit Number of secrets that a client address may create per hour without a login.
 * @param createBytes Total size of the secrets that a client address may create per hour without a login.
 * @param revealLimit Number of secrets that a client address may look at or try to reveal per minute.
 * @param bodyLimit Maximum size of a request body. The default fits the longest text as a form sends it, with nine
 *     bytes for a character.
 * @param uploads Maximum number of request bodies that are read at the same time.
 * @param uploadsPerClient Maximum number of request bodies that are read at the same time per client address.
 * @param uploadTimeout Maximum time to read a request body.
 * @param loginLimit Number of logins of a client address that may fail per minute, or be in progress at the same
 *     time.
 * @param streams Maximum number of open live pages.
 * @param streamsPerClient Maximum number of open live pages per client address.
 * @param webhook Where to post notices of secrets that were read, have expired, or were guessed at too often.
 * @param otherTeams Limits of teams that are not in {@code store.scopes}.
 */
@ConfigurationProperties("secrets")
public record SecretsProperties(
        @DefaultValue("acme") String team,
        @DefaultValue List<String> loginTeams,
        @DefaultValue List<Login> senders,
        @DefaultValue("7d") Duration maxTtl,
        @DefaultValue("60") int createLimit,
        @DefaultValue("1MB") DataSize createBytes,
        @DefaultValue("300") int revealLimit,
        @DefaultValue("640KB") DataSize bodyLimit,
        @DefaultValue("100") int uploads,
        @DefaultValue("50") int uploadsPerClient,
        @DefaultValue("10s") Duration uploadTimeout,
        @DefaultValue("10") int loginLimit,
        @DefaultValue("64") int streams,
        @DefaultValue("16") int streamsPerClient,
        @DefaultValue Webhook webhook,
        @DefaultValue OtherTeams otherTeams) {

    /**
     * Login of a sender.
     *
     * @param name Name.
     * @param password Password, hashed as that of the operator, or plain.
     */
    public record Login(
            @DefaultValue("") String name, @DefaultValue("") String password) {

        /** Omits the password. */
        @Override
        public String toString() {
            return "Login[" + name + "]";
        }
    }

    /**
     * Where to send notices of secrets that were read, have expired, or were guessed at too often.
     *
     * @param url Address to post to, by https or on this machine. Nothing is sent without it.
     * @param signingKey Key for signatures of the notices (HMAC-SHA256). Without it they are not signed.
     */
    public record Webhook(
            @DefaultValue("") String url, @DefaultValue("") String signingKey) {

        /** Omits the key, and the address, which may contain a token. */
        @Override
        public String toString() {
            return url.isEmpty() ? "Webhook[off]" : "Webhook[on]";
        }
    }

    /**
     * Limits of teams that are not declared. Anyone can make up a name, so both the number of teams and the usage of
     * each are limited.
     *
     * @param maxTeams Maximum number of such teams.
     * @param createLimit Number of such teams that a client address may create per hour without a login.
     * @param maxKeys Maximum number of unread secrets in each.
     * @param maxBytes Maximum size of the unread secrets in each.
     */
    public record OtherTeams(
            @DefaultValue("100") int maxTeams,
            @DefaultValue("5") int createLimit,
            @DefaultValue("100") long maxKeys,
            @DefaultValue("2MB") DataSize maxBytes) {

        public Quota quota() {
            return new Quota(maxKeys, 0, maxBytes.toBytes());
        }
    }
}
