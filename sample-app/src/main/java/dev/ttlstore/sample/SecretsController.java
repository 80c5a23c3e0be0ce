package dev.ttlstore.sample;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The HTTP side: a secret is kept until its time, looked at without being used up, and revealed once. */
@RestController
@RequestMapping("/api/teams/{team}")
class SecretsController {

    /** What the store hands out as keys. Anything else cannot name a secret, and need not be looked up. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{24}");

    private final Secrets secrets;
    private final Activity activity;

    SecretsController(Secrets secrets, Activity activity) {
        this.secrets = secrets;
        this.activity = activity;
    }

    record Waiting(Instant expiresAt) {}

    record Revealed(String value) {}

    record Usage(String team, long secrets) {}

    @PostMapping(path = "/secrets", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Secrets.Kept> keep(@PathVariable String team, @RequestBody NewSecret secret) {
        Invalid.Collector invalid = new Invalid.Collector();
        String checkedTeam = Team.check(team, invalid);
        NewSecret.Checked checked = secret.check(invalid);
        invalid.throwIfAny();
        Secrets.Kept kept = secrets.keep(checkedTeam, checked.value(), checked.ttl());
        URI location = URI.create("/api/teams/" + checkedTeam + "/secrets/" + kept.key());
        return ResponseEntity.created(location)
                .cacheControl(CacheControl.noStore())
                .body(kept);
    }

    @GetMapping("/secrets/{key}")
    ResponseEntity<Waiting> look(@PathVariable String team, @PathVariable String key) {
        String checkedTeam = Team.check(team);
        return answer(find(key, () -> secrets.expiry(checkedTeam, key)).map(Waiting::new));
    }

    @PostMapping("/secrets/{key}/reveal")
    ResponseEntity<Revealed> reveal(@PathVariable String team, @PathVariable String key) {
        String checkedTeam = Team.check(team);
        return answer(find(key, () -> secrets.reveal(checkedTeam, key)).map(Revealed::new));
    }

    @GetMapping("/activity")
    List<Activity.Happening> activity(@PathVariable String team) {
        return activity.last(Team.check(team));
    }

    @GetMapping("/usage")
    Usage usage(@PathVariable String team) {
        String checkedTeam = Team.check(team);
        return new Usage(checkedTeam, secrets.count(checkedTeam));
    }

    private static <T> Optional<T> find(String key, Supplier<Optional<T>> lookup) {
        return KEY.matcher(key).matches() ? lookup.get() : Optional.empty();
    }

    private static <T> ResponseEntity<T> answer(Optional<T> found) {
        T body = found.orElseThrow(NoSuchSecretException::new);
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
    }
}
