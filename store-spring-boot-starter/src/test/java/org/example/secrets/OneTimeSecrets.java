package org.example.secrets;

import java.time.Duration;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

import dev.ttlstore.*;
import dev.ttlstore.spring.expiry.OnExpiry;

@SpringBootApplication
@RestController
class OneTimeSecrets {
    record Secret(String from, String text) {}

    private final Group<Secret> secrets;

    OneTimeSecrets(Store store) {
        secrets = store.group("secrets", Secret.class);
    }

    @PostMapping("/secrets")
    String add(@RequestBody Secret secret) {
        return secrets.add(secret, Duration.ofMinutes(10)); // returns a key that nobody can guess
    }

    @PostMapping("/secrets/{key}/take")
    ResponseEntity<Secret> take(@PathVariable String key) {
        return ResponseEntity.of(secrets.take(key)); // only one caller gets it
    }

    @OnExpiry(subscriber = "unread", group = "secrets")
    void unread(Secret secret) { // called at least once, even if the application was down
        System.out.println("Expired unread: a secret from " + secret.from());
    }

    public static void main(String[] args) {
        SpringApplication.run(OneTimeSecrets.class, args);
    }
}
