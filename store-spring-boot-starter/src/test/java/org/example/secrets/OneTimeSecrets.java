package org.example.secrets;

import java.io.IOException;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

import dev.ttlstore.*;
import dev.ttlstore.event.*;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

import jakarta.servlet.http.HttpServletResponse;

@SpringBootApplication
@RestController
class OneTimeSecrets {

    private static final Logger log = LoggerFactory.getLogger(OneTimeSecrets.class);

    record Secret(String from, String text) {}

    private final Group<Secret> secrets;

    OneTimeSecrets(Store store) { // a team with room for 100 secrets, 1 MB in total
        secrets = store.scope("acme", new Quota(100, 0, 1_000_000)).group("secrets", Secret.class);
    }

    public static void main(String[] args) {
        SpringApplication.run(OneTimeSecrets.class, args);
    }

    @PostMapping("/secrets")
    String add(@RequestBody Secret secret, @RequestParam(defaultValue = "PT10M") Duration ttl) {
        return secrets.add(secret, ttl); // a fresh key that nobody can guess
    }

    @GetMapping("/secrets/{key}")
    ResponseEntity<String> look(@PathVariable String key) {
        return ResponseEntity.of(secrets.get(key).map(Secret::from)); // until the very millisecond of its expiry
    }

    @PostMapping("/secrets/{key}/take")
    ResponseEntity<Secret> take(@PathVariable String key) {
        return ResponseEntity.of(secrets.take(key)); // of any number of callers, one gets it
    }

    @OnExpiry(subscriber = "unread", group = "acme:secrets")
    void unread(ExpiredEntry<Secret> entry) { // at least once, even if the application was down at that time
        log.info("A secret of {} expired unread", entry.value().from());
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
    String full(QuotaExceededException e) { // concurrent writers cannot exceed it together
        return "Acme may have %d unread secrets. Try again later."
                .formatted(e.limits().keys());
    }

    @GetMapping("/changes")
    void changes(HttpServletResponse response) throws IOException {
        response.setContentType("text/event-stream");
        response.flushBuffer();
        try (Watch watch = secrets.watch()) {
            for (WatchSignal signal : watch) { // EntryPut, EntryDeleted, EntryExpired, in commit order
                if (signal instanceof WatchSignal.Change change) {
                    response.getWriter()
                            .println("data: " + change.event().getClass().getSimpleName() + "\n");
                    response.flushBuffer();
                }
            }
        }
    }
}
