package org.example.orders;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/** A context with a clock that stands still, which nobody else gets. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@DirtiesContext
class OpeningHoursTest {

    private static final Instant NIGHT = Instant.parse("2020-01-01T03:00:00Z");

    @Autowired
    private Clock clock;

    @Autowired
    private Orders orders;

    @Test
    void ordersAreTakenAtNight() {
        assertThat(clock.instant()).isEqualTo(NIGHT);
        assertThat(orders.place("night", 100)).isTrue();
    }

    @TestConfiguration
    static class StandingStill {

        @Bean
        Clock clock() {
            return Clock.fixed(NIGHT, ZoneOffset.UTC);
        }
    }
}
