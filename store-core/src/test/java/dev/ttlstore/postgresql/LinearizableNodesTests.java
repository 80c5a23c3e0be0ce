package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletionException;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Scenario;
import dev.ttlstore.contract.linear.OneKey;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;

/**
 * Every operation on one key happens at one moment between its call and its return, whichever nodes call it, and also if their
 * connections are cut. The normal build checks some dozens of histories, and the tag {@code campaign} thousands.
 */
@Promise({8, 10})
class LinearizableNodesTests {

    private static final String ROUNDS = "ttl-store.test.campaign.rounds";

    private static final int THREADS = 4;

    private final Nodes nodes = new Nodes();

    /** Without a seed: what threads make of a scenario is never twice the same. A failure shows all calls. */
    private final Random random = new Random();

    private int groups;

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @Test
    @Tag("postgresql")
    void whatThreeNodesAreAnsweredCouldHaveHappenedInTurn() throws Exception {
        checkThreeNodes(Effort.of(12, 40));
    }

    @Test
    @Tag("campaign")
    void whatThreeNodesAreAnsweredCouldHaveHappenedInTurnManyTimes() throws Exception {
        checkThreeNodes(Integer.getInteger(ROUNDS, 200));
    }

    /** One of them is far from the server, so it has several commits under way. */
    private void checkThreeNodes(int rounds) throws Exception {
        Proxy network = nodes.proxy();
        for (Proxy.Direction direction : Proxy.Direction.values()) {
            network.delay(direction, Duration.ofNanos(500_000));
        }
        Store[] stores = {open(), open(), open(Nodes.through(network))};
        for (int round = 0; round < rounds; round++) {
            Scenario.random(random, THREADS).check(freshKey(stores));
        }
    }

    @Test
    @Tag("postgresql")
    void whatNodesAreAnsweredWhoseConnectionsAreCutCouldHaveHappenedInTurn() throws Exception {
        checkCuts(Effort.of(6, 20));
    }

    @Test
    @Tag("campaign")
    void whatNodesAreAnsweredWhoseConnectionsAreCutCouldHaveHappenedInTurnManyTimes() throws Exception {
        checkCuts(Integer.getInteger(ROUNDS, 200));
    }

    /** Cuts a connection in each round. A round counts if every call has an answer; most do, because the store asks again. */
    private void checkCuts(int rounds) throws Exception {
        Proxy proxy = nodes.proxy();
        Store[] stores = {open(Nodes.through(proxy)), open()};
        int counted = 0;
        for (int round = 0; counted < rounds; round++) {
            assertThat(round).as("rounds, of which " + counted + " count").isLessThan(rounds * 10);
            cut(proxy, round);
            try {
                Scenario.random(random, THREADS).check(freshKey(stores));
                counted++;
            } catch (OutcomeUnknownException e) {
                throw new AssertionError("The server could be asked all the time", e);
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("The connection to PostgreSQL is lost");
            } catch (CompletionException e) { // of an asynchronous call
                assertThat(e.getCause()).hasMessageContaining("The connection to PostgreSQL is lost");
            }
        }
    }

    private void cut(Proxy proxy, int round) {
        switch (round % 3) {
            case 0 -> proxy.cutAfter(nodes.storing());
            case 1 -> proxy.cutBefore(nodes.storing());
            default -> proxy.cut();
        }
    }

    private Store open() {
        return open(TestServer.dataSource());
    }

    private Store open(DataSource source) {
        return nodes.open(nodes.pool(5, source, Duration.ofSeconds(10)), Timeouts.DEFAULT);
    }

    private OneKey[] freshKey(Store... stores) {
        String group = "group" + groups++;
        OneKey[] keys = new OneKey[stores.length];
        for (int i = 0; i < stores.length; i++) {
            keys[i] = new OneKey(stores[i], group);
        }
        return keys;
    }
}
