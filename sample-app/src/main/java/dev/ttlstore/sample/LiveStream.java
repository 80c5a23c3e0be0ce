package dev.ttlstore.sample;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import dev.ttlstore.Entry;
import dev.ttlstore.StoreException;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

/**
 * One live page's server-sent events. The id of each is its place in the history of the store, which a browser sends when it
 * connects again, so that it is told what it has missed; and if that is not kept any more, that it has missed something.
 */
final class LiveStream implements AutoCloseable {

    /** Also how long it takes to notice, at most twice over, that a client has gone. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final long RECONNECT_MILLIS = 2_000;
    private static final long NO_TIMEOUT = 0;
    private static final Logger log = LoggerFactory.getLogger(LiveStream.class);

    private final Activity activity;
    private final String team;
    private final SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
    private final Watch watch;
    private long told;

    /** Watches from here on, so that nothing falls between what is replayed and what comes. */
    LiveStream(Activity activity, String team, long after) {
        this.activity = activity;
        this.team = team;
        this.told = after;
        this.watch = activity.watch(team);
        emitter.onCompletion(watch::close);
        emitter.onTimeout(watch::close);
        emitter.onError(e -> watch.close());
    }

    record Told(Instant at, String kind, String text) {

        static Told of(Activity.Happening happening) {
            return new Told(
                    happening.at(), happening.kind().css(), happening.kind().text());
        }
    }

    SseEmitter emitter() {
        return emitter;
    }

    /** Tells until the client or the watch is gone. */
    void run() {
        try {
            emitter.send(SseEmitter.event().reconnectTime(RECONNECT_MILLIS).comment("open"));
            replay(false);
            follow();
            emitter.complete();
        } catch (IOException | IllegalStateException e) {
            log.debug("A live page is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            log.warn("A live page ends, for the store has failed", e);
            emitter.complete();
        }
    }

    /** Tells all that is kept and was not told yet, and before it, if something is not kept any more, that it was missed. */
    private void replay(boolean missed) throws IOException {
        List<Entry<Activity.Happening>> kept = activity.after(team, 0);
        long newest = kept.isEmpty() ? 0 : kept.get(kept.size() - 1).version();
        boolean fromBeforeABackup = told > newest;
        if (missed || fromBeforeABackup || (told > 0 && Activity.isTrimmedAfter(kept, told))) {
            emitter.send(SseEmitter.event().name("missed").data("some")); // without data the page would not be told
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
                emitter.send(SseEmitter.event().comment("still here"));
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
                replay(true); // it was trimmed before this client took it
            }
        }
    }

    /** What was replayed comes through the watch as well, if it came about at that time. */
    private void tell(Entry<Activity.Happening> entry) throws IOException {
        if (entry.version() > told) {
            told = entry.version();
            emitter.send(SseEmitter.event()
                    .id(Long.toString(told))
                    .name("activity")
                    .data(Told.of(entry.value()), MediaType.APPLICATION_JSON));
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
