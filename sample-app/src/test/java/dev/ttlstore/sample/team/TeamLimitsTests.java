package dev.ttlstore.sample.team;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.Usage;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.sample.web.Refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** How a team sees its limits: on entries, on bytes, on both or on neither. */
class TeamLimitsTests {

    private final Store store = Store.builder().inMemory().open();

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1  | 0  | 10 | 0   | 0   | 1 secret, 10 bytes                     | ''             | ''
            2  | 0  | 10 | 0   | 0   | 2 secrets, 10 bytes                    | ''             | ''
            1  | 10 | 10 | 0   | 10  | 1 of 10 secrets, 10 bytes              | ''             | ''
            8  | 10 | 10 | 100 | 80  | 8 of 10 secrets, 10 bytes of 100 bytes | nearly reached | near
            1  | 0  | 95 | 100 | 95  | 1 secret, 95 bytes of 100 bytes        | nearly reached | full
            12 | 10 | 10 | 0   | 100 | 12 of 10 secrets, 10 bytes             | used up        | full
            """)
    void theUsageIsThatOfTheLimitThatIsNearer(
            long keys, long maxKeys, long bytes, long maxBytes, long share, String text, String note, String level) {
        assertThat(TeamUsage.of(new Usage(keys, 1, bytes), new Quota(maxKeys, 0, maxBytes)))
                .isEqualTo(new TeamUsage(share, text, note, level));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | 0 | 1 unread secret;
            0 | 9 | 9 bytes of unread secrets;
            1 | 9 | 1 unread secret, 9 bytes in total;
            """)
    void aRefusalNamesTheLimits(long maxKeys, long maxBytes, String limit) {
        Scope team = store.scope("acme", new Quota(maxKeys, 0, maxBytes));
        team.group("secrets").put("1", "value", Duration.ofHours(1));
        assertThat(refusal(team).text())
                .startsWith("Team acme may have " + limit)
                .contains("when the next expires");
    }

    @Test
    void aSecretThatIsTooLargeByItselfIsToldThat() {
        assertThat(refusal(store.scope("acme", new Quota(0, 0, 3))).text())
                .endsWith("This secret alone exceeds the limit.");
    }

    private static Refusal refusal(Scope team) {
        QuotaExceededException exceeded = catchThrowableOfType(
                QuotaExceededException.class, () -> team.group("secrets").put("2", "value"));
        return QuotaRefusal.of(exceeded, team, Instant.now(), Duration.ofDays(7));
    }
}
