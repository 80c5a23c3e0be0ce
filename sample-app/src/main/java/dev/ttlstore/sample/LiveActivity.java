package dev.ttlstore.sample;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.Lifecycle;
import org.springframework.stereotype.Service;

import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * Limits the number of open live pages, because each occupies the thread of its request. A live page ends with its
 * client, or when the application stops, because the starter then ends its watch.
 */
@Service
class LiveActivity implements Lifecycle {

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
            throw TooManyStreamsException.inAll();
        }
        if (open.values().stream().filter(client::equals).count() >= limitPerClient) {
            throw TooManyStreamsException.ofOneClient(limitPerClient);
        }
        open.put(stream, client);
    }

    int size() {
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
