package dev.ttlstore.spring.benchmark;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import com.sun.management.ThreadMXBean;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.benchmark.server.Folder;
import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.observation.StoreObservationAutoConfiguration;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;

/**
 * Measures what observations add to calls of a store in a file, and what the calls allocate: off, on without a handler,
 * and on with timers. The ratios are to the first. Argument: the number of rounds, 30 by default.
 *
 * <pre>mvn -q -pl store-spring-boot-starter -Pbenchmarks test-compile exec:exec -Dbenchmarks.main=dev.ttlstore.spring.benchmark.ObservedCalls</pre>
 */
public final class ObservedCalls {

    private static final Duration TURN = Duration.ofMillis(250);
    private static final int WARM_UP = 8;
    private static final int KEYS = 2_000;
    private static final int CALLS = 50;
    private static final String VALUE = "v".repeat(100);
    private static final PrintStream OUT = System.out;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What calls return, so that none is left out. */
    static volatile Object answer = "";

    private ObservedCalls() {}

    private interface Operation {
        Object run(TextGroup group, String key);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({StoreAutoConfiguration.class, StoreObservationAutoConfiguration.class})
    static class Application {}

    /** Measures. */
    public static void main(String[] args) throws Exception {
        TurnTaking turns = new TurnTaking(TURN, WARM_UP, args.length > 0 ? Integer.parseInt(args[0]) : 30);
        ObservationRegistry timed = ObservationRegistry.create();
        timed.observationConfig().observationHandler(new DefaultMeterObservationHandler(new SimpleMeterRegistry()));
        try (Folder folder = new Folder();
                ConfigurableApplicationContext off = start(folder, "off", ObservationRegistry.NOOP);
                ConfigurableApplicationContext on = start(folder, "on", ObservationRegistry.create());
                ConfigurableApplicationContext timers = start(folder, "timers", timed)) {
            List<TextGroup> groups = List.of(group(off), group(on), group(timers));
            OUT.println(
                    "\n| | off, ns | on | with timers | bytes off | on | with timers |\n|---|--:|--:|--:|--:|--:|--:|");
            measure("get", turns, groups, TextGroup::get);
            measure("put", turns, groups, (group, key) -> group.put(key, VALUE));
        }
    }

    private static ConfigurableApplicationContext start(Folder folder, String name, ObservationRegistry registry) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().registerSingleton("observations", registry))
                .run(
                        "--store.observations.enabled=" + !name.equals("off"),
                        "--store.path=" + folder.path().resolve(name + ".db"),
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn");
    }

    private static TextGroup group(ConfigurableApplicationContext context) {
        TextGroup group = context.getBean(Store.class).group("group");
        for (String key : keys()) {
            group.put(key, VALUE);
        }
        return group;
    }

    private static void measure(String what, TurnTaking turns, List<TextGroup> groups, Operation operation)
            throws InterruptedException {
        List<List<Callers.Call>> sides = new ArrayList<>();
        groups.forEach(group -> sides.add(List.of(calls(group, operation))));
        Rounds rounds = turns.of(sides);
        OUT.printf(
                "| %s | %.0f | %s | %s |",
                what, 1e9 / CALLS / rounds.median(0), rounds.ratio(1, 0), rounds.ratio(2, 0));
        groups.forEach(group -> OUT.printf(" %d |", bytes(group, operation)));
        OUT.println();
    }

    /** Several at once, because taking the time takes as long as a get. */
    private static Callers.Call calls(TextGroup group, Operation operation) {
        String[] keys = keys();
        int[] next = {0};
        return () -> {
            for (int i = 0; i < CALLS; i++) {
                answer = operation.run(group, keys[next[0]++ % KEYS]);
            }
        };
    }

    private static String[] keys() {
        return IntStream.range(0, KEYS).mapToObj(i -> "key" + i).toArray(String[]::new);
    }

    private static long bytes(TextGroup group, Operation operation) {
        String[] keys = keys();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (String key : keys) {
            answer = operation.run(group, key);
        }
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / KEYS;
    }
}
