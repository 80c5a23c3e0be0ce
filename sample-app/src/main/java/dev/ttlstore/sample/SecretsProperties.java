package dev.ttlstore.sample;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.Quota;

/**
 * What can be set for the sample; what each team may take is with the starter's own {@code store.scopes.<team>.quota.*}.
 *
 * @param team the team that the first page is for, unless its address names another
 * @param revealLimit how many secrets a client address may look at or try to reveal in a minute
 * @param bodyLimit the largest body of a request
 * @param loginLimit how many logins of a client address may fail in a minute, or be under way at the same time
 * @param streams how many live pages may be open at a time
 * @param streamsPerClient how many of them may be those of one client address
 * @param otherTeams what teams may take that are not among {@code store.scopes}
 */
@ConfigurationProperties("secrets")
record SecretsProperties(
        @DefaultValue("acme") String team,
        @DefaultValue("300") int revealLimit,
        @DefaultValue("512KB") DataSize bodyLimit,
        @DefaultValue("10") int loginLimit,
        @DefaultValue("64") int streams,
        @DefaultValue("16") int streamsPerClient,
        @DefaultValue OtherTeams otherTeams) {

    /**
     * Anyone may make up a name, so both how many there are and what each may take has an end.
     *
     * @param maxTeams how many of them there may be at a time
     * @param maxKeys how many secrets may wait in each
     * @param maxBytes how many bytes these may take
     */
    record OtherTeams(
            @DefaultValue("100") int maxTeams,
            @DefaultValue("100") long maxKeys,
            @DefaultValue("2MB") DataSize maxBytes) {

        Quota quota() {
            return new Quota(maxKeys, 0, maxBytes.toBytes());
        }
    }
}
