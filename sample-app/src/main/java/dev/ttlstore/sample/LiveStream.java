package dev.ttlstore.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;

import dev.ttlstore.Entry;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreException;

import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * One live page's server-sent events. The id of each is its place in the history of the store, which a browser sends when it
 * connects again, so that it is told what it has missed; and if that is not kept any more, that it has missed something.
 */
final class LiveStream implements AutoCloseable {

    /** Also how long it takes to notice, at most twice over, that a client has gone. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final long RECONNECT_MILLIS = 2_000;
    private static final Logger log = LoggerFactory.getLogger(LiveStream.class);

    private final Activity activity;
    private final String team;
    private final Watch watch;
    private final JsonMapper json;
    private final HttpServletResponse response;
    private long told;

    /** Watches from here on, so that nothing falls between what is replayed and what comes. */
    LiveStream(Activity activity, String team, long after, JsonMapper json, HttpServletResponse response) {
        this.activity = activity;
        this.team = team;
        this.told = after;
        this.json = json;
        this.response = response;
        this.watch = activity.watch(team);
    }

    record Told(Instant at, String kind, String text) {

        static Told of(Activity.Happening happening) {
            return new Told(
                    happening.at(), happening.kind().css(), happening.kind().text());
        }
    }

    /**
     * Tells until the client or the watch is gone. It keeps the thread of the request: what is written by another one while that
     * is on its way out, to a client that has gone, leaves Tomcat with a request that never ends.
     */
    void run() {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        try {
            send("retry:" + RECONNECT_MILLIS);
            replay(false);
            follow();
        } catch (IOException e) {
            log.debug("A live page is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            log.warn("A live page ends, for the store has failed", e);
        }
    }

    /** Sends the lines of one event. */
    private void send(String lines) throws IOException {
        response.getOutputStream().write((lines + "\n\n").getBytes(StandardCharsets.UTF_8));
        response.flushBuffer();
    }

    /** Tells all that is kept and was not told yet, and before it, if something is not kept any more, that it was missed. */
    private void replay(boolean missed) throws IOException {
        List<Entry<Activity.Happening>> kept = activity.after(team, 0);
        long newest = kept.isEmpty() ? 0 : kept.get(kept.size() - 1).version();
        boolean fromBeforeABackup = told > newest;
        if (missed || fromBeforeABackup || activity.isTrimmedAfter(team, told)) {
            send("event:missed\ndata:some"); // one without data is none to a browser
        }
        told = Math.min(told, newest);
        for (Entry<Activity.Happening> entry : kept) {
            tell(entry);
        }
    }

    private void follow() throws IOException, InterruptedException {
        while (true) {
            Optional<WatchSignal> signal = watch.poll(HEARTBEAT);
            if (signal.isPresent()) {
                tell(signal.get());
            } else if (watch.isClosed()) {
                return;
            } else {
                send(":still here");
            }
        }
    }

    private void tell(WatchSignal signal) throws IOException {
        if (signal instanceof WatchSignal.Gap) {
            replay(false); // what did not fit into the watch is in the store
        } else if (signal instanceof WatchSignal.Change change
                && change.event() instanceof EntryPut put
                && put.version() > told) {
            Optional<Entry<Activity.Happening>> entry = activity.entry(team, put.key());
            if (entry.isPresent()) {
                tell(entry.get());
            } else {
                replay(true); // it was let go before this client took it
            }
        }
    }

    /** What was replayed comes through the watch as well, if it came about at that time. */
    private void tell(Entry<Activity.Happening> entry) throws IOException {
        if (entry.version() > told) {
            told = entry.version();
            String data = json.writeValueAsString(Told.of(entry.value()));
            send("id:" + told + "\nevent:activity\ndata:" + data);
        }
    }

    /** Has it end when it has told what is in its watch; from any thread. */
    @Override
    public void close() {
        watch.close();
    }
}
