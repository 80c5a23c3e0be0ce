package dev.ttlstore.sample.secrets;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.ttlstore.sample.team.Activity;
import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.Invalid;
import dev.ttlstore.sample.web.Refusal;

import jakarta.servlet.http.HttpServletRequest;

/** The HTTP API: stores secrets, shows when they expire without using them up, and reveals them once. */
@RestController
@RequestMapping("/api/teams/{team}")
class SecretsController {

    private static final int SHOWN = 100;
    private static final Set<Activity.Kind> UNASKED = Set.of(Activity.Kind.EXPIRED, Activity.Kind.GUESSED);

    private final Secrets secrets;
    private final Activity activity;
    private final RevealLimit limit;

    SecretsController(Secrets secrets, Activity activity, RevealLimit limit) {
        this.secrets = secrets;
        this.activity = activity;
        this.limit = limit;
    }

    /** What a reader adds to the address. */
    record Opening(@Nullable String passphrase) {

        /** Omits the passphrase, because frameworks may log what they read. */
        @Override
        public String toString() {
            return "Opening[]";
        }
    }

    record Told(Instant at, String what) {}

    record Usage(String team, long secrets) {}

    @PostMapping(path = "/secrets", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Secrets.Kept> keep(@PathVariable String team, @RequestBody NewSecret secret) {
        Invalid.Collector invalid = new Invalid.Collector();
        String checkedTeam = Team.check(team, invalid);
        NewSecret.Checked checked = secret.check(invalid);
        invalid.throwIfAny();
        Secrets.Kept kept = secrets.keep(checkedTeam, checked, null);
        URI location = URI.create("/api/teams/" + checkedTeam + "/secrets/" + kept.key());
        return ResponseEntity.created(location).body(kept);
    }

    @GetMapping("/secrets/{key}")
    Secrets.Waiting look(@PathVariable String team, @PathVariable String key, HttpServletRequest request) {
        String checkedTeam = Team.check(team);
        limit.attempt(request);
        return secrets.look(checkedTeam, SecretKeys.stored(key)).orElseThrow(Refusal::noSuchSecret);
    }

    @PostMapping("/secrets/{key}/reveal")
    Secrets.Revealed reveal(
            @PathVariable String team,
            @PathVariable String key,
            @RequestBody(required = false) @Nullable Opening opening,
            HttpServletRequest request) {
        String checkedTeam = Team.check(team);
        limit.attempt(request);
        String passphrase = opening == null ? null : opening.passphrase();
        return secrets.reveal(checkedTeam, SecretKeys.stored(key), passphrase).orElseThrow(Refusal::noSuchSecret);
    }

    /** Lists what nobody has asked for: the other events are requests that the clients made themselves. */
    @GetMapping("/activity")
    List<Told> activity(@PathVariable String team) {
        return activity.last(Team.check(team)).stream()
                .filter(happening -> UNASKED.contains(happening.kind()))
                .limit(SHOWN)
                .map(happening -> new Told(happening.at(), happening.text()))
                .toList();
    }

    @GetMapping("/usage")
    Usage usage(@PathVariable String team) {
        String checkedTeam = Team.check(team);
        return new Usage(checkedTeam, secrets.count(checkedTeam));
    }
}
