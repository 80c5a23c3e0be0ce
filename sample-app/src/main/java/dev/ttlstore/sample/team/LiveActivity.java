package dev.ttlstore.sample.team;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.Lifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;

import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;

import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * Limits the number of open live pages, because each occupies the thread of its request. A live page ends with its
 * client, or when the application stops, because the starter then ends its watch.
 */
@Service
public class LiveActivity implements Lifecycle {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

    private final Activity activity;
    private final JsonMapper json;
    private final int limit;
    private final int limitPerClient;
    private final Map<LiveStream, String> open = new ConcurrentHashMap<>(); // and their clients
    private volatile boolean running = true;

    LiveActivity(Activity activity, JsonMapper json, SecretsProperties properties) {
        this.activity = activity;
        this.json = json;
        this.limit = properties.streams();
        this.limitPerClient = properties.streamsPerClient();
    }

    /**
     * Sends a team's activity to a client, starting after a position in the store's history, until the client
     * disconnects or the application stops.
     */
    void tell(String team, long after, String client, HttpServletResponse response) {
        LiveStream stream = new LiveStream(activity, team, after, json, response);
        try (stream) {
            admit(stream, client);
            stream.run();
        } finally {
            open.remove(stream);
        }
    }

    private synchronized void admit(LiveStream stream, String client) {
        if (!running || open.size() >= limit) {
            throw Refusal.of(HttpStatus.SERVICE_UNAVAILABLE, "Too many live pages are open. Try later.")
                    .retryAfter(RETRY_AFTER);
        }
        if (open.values().stream().filter(client::equals).count() >= limitPerClient) {
            throw Refusal.of(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "A client may have " + limitPerClient + " live pages open. Close one of yours.")
                    .retryAfter(RETRY_AFTER);
        }
        open.put(stream, client);
    }

    public int size() {
        return open.size();
    }

    /** Admits live pages again. */
    @Override
    public void start() {
        running = true;
    }

    /**
     * Ends the open live pages, and refuses others until the start. If the application stops, the starter has ended
     * them before.
     */
    @Override
    public synchronized void stop() {
        running = false;
        open.keySet().forEach(LiveStream::close);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
