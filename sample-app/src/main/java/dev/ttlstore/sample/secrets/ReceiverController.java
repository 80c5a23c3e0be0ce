package dev.ttlstore.sample.secrets;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.Refusal;

import jakarta.servlet.http.HttpServletRequest;

/**
 * The actions of the receiver's page. The key comes in the body, from the part of the link that browsers do not send.
 * Every secret that is no longer available gets the same answer, whatever the key.
 */
@RestController
@RequestMapping(path = "/page", consumes = MediaType.APPLICATION_JSON_VALUE)
class ReceiverController {

    private final Secrets secrets;
    private final RevealLimit limit;

    ReceiverController(Secrets secrets, RevealLimit limit) {
        this.secrets = secrets;
        this.limit = limit;
    }

    record Link(
            @Nullable String team,
            @Nullable String key,
            @Nullable String passphrase) {

        /** Omits key and passphrase, because frameworks may log what they read. */
        @Override
        public String toString() {
            return "Link[team=" + team + "]";
        }
    }

    @PostMapping("/look")
    Secrets.Waiting look(@RequestBody Link link, HttpServletRequest request) {
        limit.attempt(request);
        return secrets.look(team(link), SecretKeys.stored(link.key())).orElseThrow(Refusal::noSuchSecret);
    }

    @PostMapping("/reveal")
    Secrets.Revealed reveal(@RequestBody Link link, HttpServletRequest request) {
        limit.attempt(request);
        return secrets.reveal(team(link), SecretKeys.stored(link.key()), link.passphrase())
                .orElseThrow(Refusal::noSuchSecret);
    }

    /** Returns the team. An invalid name gets the same answer as a team without such a secret. */
    private static String team(Link link) {
        return link.team() != null && Team.isName(link.team()) ? link.team() : "-";
    }
}
