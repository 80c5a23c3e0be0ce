package org.example.visits;

import java.security.Principal;
import java.util.Map;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebSession;

import dev.ttlstore.spring.session.StoreReactiveSessionRepository;

import reactor.core.publisher.Mono;

/** Says who is logged in, counts the visits, and logs out everywhere. */
@RestController
class VisitController {

    private final StoreReactiveSessionRepository sessions;

    VisitController(StoreReactiveSessionRepository sessions) {
        this.sessions = sessions;
    }

    @GetMapping("/visit")
    Mono<String> visit(Principal user, WebSession session) {
        Visits before = session.getAttributeOrDefault("visits", new Visits(0));
        Visits now = new Visits(before.number() + 1);
        session.getAttributes().put("visits", now);
        return Mono.just(user.getName() + " " + now.number());
    }

    @PostMapping("/leave-all")
    Mono<Void> leaveAll(Principal user) {
        return sessions.findByPrincipalName(user.getName())
                .flatMapIterable(Map::keySet)
                .flatMap(sessions::deleteById)
                .then();
    }
}
