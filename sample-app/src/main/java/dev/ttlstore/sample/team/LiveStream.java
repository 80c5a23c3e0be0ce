package dev.ttlstore.sample.team;

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
 * The server-sent events of one live page. The id of an event is its position in the store's history. A browser sends
 * the last id when it reconnects, and receives the events that it has missed. If those are no longer stored, it is
 * informed that events are missing.
 */
final class LiveStream implements AutoCloseable {

    /** The interval of heartbeats. A disconnected client is noticed after two of them at most. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final long RECONNECT_MILLIS = 2_000;
    private static final Logger log = LoggerFactory.getLogger(LiveStream.class);

    private final Activity activity;
    private final String team;
    private final Watch watch;
    private final JsonMapper json;
    private final HttpServletResponse response;
    private long told;

    /** Opens the watch first, so that no event is lost between the replay and the live events. */
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
            return new Told(happening.at(), happening.kind().css(), happening.text());
        }
    }

    /**
     * Sends events until the client disconnects or the watch ends. It occupies the thread of the request: if another
     * thread writes while a disconnected request is on its way out, Tomcat keeps a request that never ends.
     */
    void run() {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        try {
            send("retry:" + RECONNECT_MILLIS);
            replay(false);
            follow();
        } catch (IOException e) {
            log.debug("A live page has disconnected", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            log.warn("A live page ends because the store has failed", e);
        }
    }

    /** Sends the lines of one event. */
    private void send(String lines) throws IOException {
        response.getOutputStream().write((lines + "\n\n").getBytes(StandardCharsets.UTF_8));
        response.flushBuffer();
    }

    /** Sends the stored events that were not sent yet. If events are missing, says so first. */
    private void replay(boolean missed) throws IOException {
        List<Entry<Activity.Happening>> kept = activity.after(team, 0);
        long newest = kept.isEmpty() ? 0 : kept.get(kept.size() - 1).version();
        boolean fromBeforeABackup = told > newest;
        if (missed || fromBeforeABackup || activity.isTrimmedAfter(team, told)) {
            send("event:missed\ndata:some"); // browsers ignore an event without data
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
            replay(false); // the store has the events that the watch dropped
        } else if (signal instanceof WatchSignal.Change change
                && change.event() instanceof EntryPut put
                && put.version() > told) {
            Optional<Entry<Activity.Happening>> entry = activity.entry(team, put.key());
            if (entry.isPresent()) {
                tell(entry.get());
            } else {
                replay(true); // the event was trimmed before it was sent
            }
        }
    }

    /** Sends an event unless it was sent before: events during a replay also arrive by the watch. */
    private void tell(Entry<Activity.Happening> entry) throws IOException {
        if (entry.version() > told) {
            told = entry.version();
            String data = json.writeValueAsString(Told.of(entry.value()));
            send("id:" + told + "\nevent:activity\ndata:" + data);
        }
    }

    /** Ends the stream after the events in its watch. Callable from any thread. */
    @Override
    public void close() {
        watch.close();
    }
}
