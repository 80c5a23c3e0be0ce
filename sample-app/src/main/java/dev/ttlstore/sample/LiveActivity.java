package dev.ttlstore.sample;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.Lifecycle;
import org.springframework.stereotype.Service;

import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * The live pages that are open: so many and no more, for each keeps the thread of its request. They end with their clients, and
 * when the application stops, for the starter ends their watches then.
 */
@Service
class LiveActivity implements Lifecycle {

    private final Activity activity;
    private final JsonMapper json;
    private final int limit;
    private final int limitPerClient;
    private final Map<LiveStream, String> open = new ConcurrentHashMap<>(); // and whose they are
    private volatile boolean running = true;

    LiveActivity(Activity activity, JsonMapper json, SecretsProperties properties) {
        this.activity = activity;
        this.json = json;
        this.limit = properties.streams();
        this.limitPerClient = properties.streamsPerClient();
    }

    /**
     * Tells what happens in a team from now on, and first what has happened after a place in the history of the store, until the
     * client has gone or the application stops.
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

    /** Takes pages again. */
    @Override
    public void start() {
        running = true;
    }

    /** Ends those that are open, and refuses others until the start. When the application stops, the starter has done so before. */
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
