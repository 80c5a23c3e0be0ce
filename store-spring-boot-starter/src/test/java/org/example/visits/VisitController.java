package org.example.visits;

import java.security.Principal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebSession;

import reactor.core.publisher.Mono;

/** Says who is logged in, and counts the visits. */
@RestController
class VisitController {

    @GetMapping("/visit")
    Mono<String> visit(Principal user, WebSession session) {
        Visits before = session.getAttributeOrDefault("visits", new Visits(0));
        Visits now = new Visits(before.number() + 1);
        session.getAttributes().put("visits", now);
        return Mono.just(user.getName() + " " + now.number());
    }
}
