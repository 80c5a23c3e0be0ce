package dev.ttlstore.spring.test;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

// The example of the documentation, as it stands there.
@SpringBootTest
@AutoConfigureTestStore
class InvitationsTests {

    @Autowired
    private Invitations invitations;

    @Autowired
    private TestClock clock;

    @Test
    void anInvitationIsGoneAfterTenDays() {
        String key = invitations.invite("ann@example.org");
        clock.advance(Duration.ofDays(10));
        assertThat(invitations.find(key)).isEmpty();
    }
}
