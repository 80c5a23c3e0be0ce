package org.example.start;

import java.time.Duration;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.spring.expiry.OnExpiry;

import jakarta.servlet.http.HttpSession;

@SpringBootApplication
@RestController
class InvitationsApplication {

    private static final Logger log = LoggerFactory.getLogger(InvitationsApplication.class);

    record Invitation(String email) {}

    private final Group<Invitation> invitations;

    InvitationsApplication(Store store) {
        invitations = store.group("invitations", Invitation.class);
    }

    public static void main(String[] args) {
        SpringApplication.run(InvitationsApplication.class, args);
    }

    @PostMapping("/invitations")
    String invite(@RequestBody Invitation invitation) {
        return invitations.add(invitation, Duration.ofDays(10)); // returns a key that nobody can guess
    }

    @PostMapping("/invitations/{key}/accept")
    ResponseEntity<Invitation> accept(@PathVariable String key, HttpSession session) {
        Optional<Invitation> accepted = invitations.take(key); // only one caller gets it
        accepted.ifPresent(invitation -> session.setAttribute("email", invitation.email()));
        return ResponseEntity.of(accepted);
    }

    @GetMapping("/me")
    String me(@SessionAttribute String email) {
        return email;
    }

    @OnExpiry(subscriber = "reminder", group = "invitations")
    void expired(Invitation invitation) { // called at least once, even if the application was down
        log.info("{} has not answered", invitation.email());
    }
}
