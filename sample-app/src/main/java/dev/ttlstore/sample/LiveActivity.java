package dev.ttlstore.sample;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Service;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The live pages that are open: so many and no more, for each takes a thread. They end with their clients, and before the web
 * server stops, which would wait for them otherwise.
 */
@Service
class LiveActivity implements SmartLifecycle {

    private static final int LAST_WORDS_SECONDS = 5;

    private final Activity activity;
    private final int limit;
    private final int limitPerClient;
    private final Map<LiveStream, String> open = new ConcurrentHashMap<>(); // and whose they are
    private volatile @Nullable ExecutorService threads;

    LiveActivity(Activity activity, SecretsProperties properties) {
        this.activity = activity;
        this.limit = properties.streams();
        this.limitPerClient = properties.streamsPerClient();
    }

    /** Tells what happens in a team from now on, and first what has happened after a place in the history of the store. */
    synchronized SseEmitter open(String team, long after, String client) {
        ExecutorService running = threads;
        if (running == null || open.size() >= limit) {
            throw TooManyStreamsException.inAll();
        }
        if (open.values().stream().filter(client::equals).count() >= limitPerClient) {
            throw TooManyStreamsException.ofOneClient(limitPerClient);
        }
        LiveStream stream = new LiveStream(activity, team, after);
        open.put(stream, client);
        try {
            running.execute(() -> {
                try (stream) {
                    stream.run();
                } finally {
                    open.remove(stream);
                }
            });
        } catch (RejectedExecutionException e) { // by threads that have just been told to stop
            open.remove(stream);
            stream.close();
            throw TooManyStreamsException.inAll();
        }
        return stream.emitter();
    }

    int size() {
        return open.size();
    }

    @Override
    public void start() {
        CustomizableThreadFactory daemons = new CustomizableThreadFactory("live-");
        daemons.setDaemon(true);
        threads = Executors.newCachedThreadPool(daemons);
    }

    @Override
    public void stop() {
        ExecutorService running = threads;
        threads = null;
        if (running == null) {
            return;
        }
        running.shutdown();
        open.keySet().forEach(LiveStream::close);
        try {
            running.awaitTermination(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Who writes to a client that takes nothing is not waited for.
        running.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return threads != null;
    }

    /** Stopped first, before the web server waits for requests to end. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
