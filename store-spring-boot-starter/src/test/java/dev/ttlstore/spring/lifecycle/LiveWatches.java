package dev.ttlstore.spring.lifecycle;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

import dev.ttlstore.event.Watch;

/** Ends watches that are read in a context along with that, whatever becomes of the store. */
@Component
class LiveWatches implements SmartLifecycle {

    private final Set<Watch> open = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    Watch untilStop(Watch watch) {
        open.removeIf(Watch::isClosed);
        open.add(watch);
        if (!running) {
            watch.close();
        }
        return watch;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        open.forEach(Watch::close);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
