package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.postgresql.TestServer;
import dev.ttlstore.postgresql.campaign.Campaign.Fault;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three nodes write to one database in rounds of some seconds. In each round a node is killed, or the server, or the primary
 * server for good, whose synchronous standby takes over. After each round, every acknowledged write must be there, sums over
 * transactions and usages must be right, no version may be given twice, and every watch must have seen all changes of its group or
 * reported a gap. In the end every expiry must have been handled.
 *
 * <p>The thorough build runs three rounds, and three drawn at random. This runs more of those:
 *
 * <pre>{@code
 * mvn -pl store-core test -Dtest=CampaignTests -Dttl-store.test.campaign.rounds=1000
 * }</pre>
 *
 * <p>A failure says the round and the seed, and leaves what the nodes wrote down in {@code target/campaign}.
 * {@code -Dttl-store.test.campaign.seed} repeats the choices of what dies and when, though not the moments to the microsecond.
 */
@Promise({8, 9, 10, 11, 13, 15, 17, 19})
class CampaignTests {

    private static final String PROPERTY = "ttl-store.test.campaign.";
    private static final String NOT_TO_KILL = "kills its server, which belongs to others here";
    private static final int ROUNDS = Integer.getInteger(PROPERTY + "rounds", 3);
    private static final long SEED = Long.getLong(PROPERTY + "seed", new Random().nextInt(1_000_000));

    @Test
    @Tag("crash")
    @Tag("postgresql")
    void nothingAcknowledgedIsLostInThreeRounds() throws Exception {
        assumeFalse(TestServer.isGiven(), NOT_TO_KILL);
        try (Campaign campaign = start(2_000)) {
            check(campaign, 1, Fault.NODE);
            check(campaign, 2, Fault.NODE_AND_SERVER);
            check(campaign, 3, Fault.PRIMARY);
            end(campaign);
        }
    }

    /** With the address of a server, such as the coordinator of a distributed database; the nodes die, and it does not. */
    @Test
    @Tag("postgresql")
    void nothingAcknowledgedIsLostOnAGivenServer() throws Exception {
        assumeTrue(TestServer.isGiven(), "needs a server: -Dttl-store.test.postgresql.url=jdbc:postgresql://...");
        try (Campaign campaign = start(Integer.getInteger(PROPERTY + "millis", 5_000))) {
            for (int round = 1; round <= Integer.getInteger(PROPERTY + "rounds", 3); round++) {
                check(campaign, round, Fault.NODE);
                System.out.println(campaign.figures());
            }
            end(campaign);
        }
    }

    @Test
    @Tag("campaign")
    void nothingAcknowledgedIsLostInManyRounds() throws Exception {
        assumeFalse(TestServer.isGiven(), NOT_TO_KILL);
        Random random = new Random(SEED);
        try (Campaign campaign = start(3_000)) {
            for (int round = 1; round <= ROUNDS; round++) {
                check(campaign, round, some(random));
                System.out.println(campaign.figures());
            }
            end(campaign);
            System.out.println(campaign.figures());
        }
    }

    private static Fault some(Random random) {
        int number = random.nextInt(20);
        return number < 10
                ? Fault.NODE
                : number < 16 ? Fault.NODE_AND_SERVER : number < 18 ? Fault.NODE_AND_PRIMARY : Fault.PRIMARY;
    }

    private static Campaign start(int loadMillis) throws IOException, InterruptedException {
        return new Campaign(
                Path.of("target", "campaign", SEED + "-" + System.currentTimeMillis())
                        .toAbsolutePath(),
                SEED,
                loadMillis);
    }

    private static void check(Campaign campaign, int round, Fault fault) throws Exception {
        List<String> faults = campaign.round(fault);
        assertThat(faults)
                .as("faults after round %d (%s) with the seed %d", round, fault, SEED)
                .isEmpty();
    }

    private static void end(Campaign campaign) throws IOException, InterruptedException {
        assertThat(campaign.end())
                .as("faults in the end with the seed %d", SEED)
                .isEmpty();
    }
}
