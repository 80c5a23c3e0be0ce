package dev.ttlstore.spring.idempotency;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** Notices the end of an asynchronous answer before the container takes the answer. */
record TrackedContext(AsyncContext context, Completion completion) implements AsyncContext {

    /** Hears of the end of an asynchronous answer, in any thread. */
    interface Completion {

        /** Called before the container completes an answer, because the application says that it has ended. */
        void complete();

        /** Called after the container has completed an answer, no matter what has ended it. */
        void over();
    }

    /** Tracks a context that was started just now. */
    static AsyncContext start(AsyncContext started, Completion completion) {
        started.addListener(new Over(completion));
        return new TrackedContext(started, completion);
    }

    @Override
    public void complete() {
        try {
            completion.complete();
        } finally {
            context.complete();
        }
    }

    @Override
    public ServletRequest getRequest() {
        return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return context.hasOriginalRequestAndResponse();
    }

    @Override
    public void dispatch() {
        context.dispatch();
    }

    @Override
    public void dispatch(String path) {
        context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext other, String path) {
        context.dispatch(other, path);
    }

    @Override
    public void start(Runnable work) {
        context.start(work);
    }

    @Override
    public void addListener(AsyncListener listener) {
        context.addListener(listener);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse answer) {
        context.addListener(listener, request, answer);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return context.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        context.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return context.getTimeout();
    }

    /** Hears of the end of an answer that the application has not completed, such as by a timeout. */
    private record Over(Completion completion) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            completion.over();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // The application or the container ends the answer then.
        }

        @Override
        public void onError(AsyncEvent event) {
            // The application or the container ends the answer then.
        }

        /** Listeners end with each dispatch. */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
