package dev.ttlstore.spring.idempotency;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import static java.util.Objects.requireNonNull;

/** What an application does with requests and answers, without Spring MVC. */
@Configuration(proxyBeanMethods = false)
class RawServlets {
    private final AtomicInteger calls = new AtomicInteger();
    private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
    private volatile CountDownLatch goOn = new CountDownLatch(1);

    /** Returns how often a servlet was called since {@link #forget}. */
    int calls() {
        return calls.get();
    }

    /** Waits for a servlet that answers later. */
    AsyncContext started() throws InterruptedException {
        return requireNonNull(started.poll(20, TimeUnit.SECONDS));
    }

    /** Lets the stream go on. */
    void goOn() {
        goOn.countDown();
    }

    void forget() {
        started.clear();
        calls.set(0);
        goOn = new CountDownLatch(1);
    }

    @Bean
    ServletRegistrationBean<HttpServlet> rawServlet() {
        ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(
                new HttpServlet() {
                    @Override
                    protected void doPost(HttpServletRequest request, HttpServletResponse response)
                            throws IOException, ServletException {
                        calls.incrementAndGet();
                        handle(request.getPathInfo(), request, response);
                    }
                },
                "/raw/*");
        registration.setAsyncSupported(true);
        registration.setMultipartConfig(new MultipartConfigElement(""));
        return registration;
    }

    private static void print(HttpServletResponse response, String text) {
        try {
            response.getWriter().print(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Bean
    ServletRegistrationBean<HttpServlet> includedServlet() {
        return new ServletRegistrationBean<>(
                new HttpServlet() {
                    @Override
                    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                        response.setHeader("X-Included", "is ignored");
                        response.getWriter().print("part");
                    }
                },
                "/part");
    }

    private void handle(String what, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        switch (what) {
            case "/body" ->
                response.getOutputStream().write(request.getInputStream().readAllBytes());
            case "/reader" -> response.getWriter().print(request.getReader().readLine());
            case "/ignored" -> response.getWriter().print("called " + calls);
            case "/redirect" -> response.sendRedirect("/elsewhere?a=b");
            case "/permanent" -> response.sendRedirect("/elsewhere", 301, true);
            case "/moved" -> response.sendRedirect("/elsewhere", 308);
            case "/cleared" -> response.sendRedirect("/elsewhere", true);
            case "/error" -> response.sendError(410, "It is gone");
            case "/teapot" -> response.sendError(418);
            case "/missing" -> response.sendError(404, "It is not there");
            case "/partial" -> {
                response.setStatus(201);
                response.getOutputStream().write("beginning".getBytes(StandardCharsets.UTF_8));
                response.flushBuffer();
                response.setStatus(202);
                response.setHeader("X-Late", "late");
            }
            case "/reset" -> {
                response.setHeader("X-Early", "early");
                response.getWriter().print("nonsense");
                response.reset();
                response.setStatus(203);
                response.getWriter().print("committed: " + response.isCommitted());
            }
            case "/kept-writer" -> {
                PrintWriter writer = response.getWriter();
                writer.print("nonsense");
                response.reset();
                writer.print("after the reset");
            }
            case "/late-type" -> {
                PrintWriter writer = response.getWriter();
                response.setContentType("text/html;charset=UTF-8");
                response.setHeader("Content-Type", "text/plain;charset=UTF-8");
                response.setCharacterEncoding(StandardCharsets.UTF_8);
                writer.print("grün");
            }
            case "/closed" -> {
                try (PrintWriter writer = response.getWriter()) {
                    writer.print("closed");
                }
                response.setHeader("X-Late", "late");
            }
            case "/forwarded" -> request.getRequestDispatcher("/raw/writer").forward(request, response);
            case "/forwarded-error" ->
                request.getRequestDispatcher("/raw/error").forward(request, response);
            case "/included" -> {
                response.getWriter().print("beginning ");
                request.getRequestDispatcher("/part").include(request, response);
                response.getWriter().print(" end");
            }
            case "/closed-stream" -> {
                response.getOutputStream().print("closed");
                response.getOutputStream().close();
                response.setHeader("X-Late", "late");
            }
            case "/buffer" -> {
                response.getOutputStream().write(new byte[20_000]);
                response.setHeader("X-Late", "late");
                response.getOutputStream().print(" committed: " + response.isCommitted());
            }
            case "/late-error" -> {
                response.getOutputStream().write(new byte[20_000]);
                try {
                    response.sendError(500);
                } catch (IllegalStateException e) {
                    response.getOutputStream().print("refused");
                }
            }
            case "/writer" -> {
                response.setContentType("text/plain");
                response.getWriter().print("grün €");
            }
            case "/utf-8" -> {
                response.setContentType("text/plain;charset=UTF-8");
                response.getWriter().print("grün €");
            }
            case "/marked" -> {
                response.setContentType("text/plain;charset=UTF-16");
                PrintWriter writer = response.getWriter();
                writer.print("nonsense");
                response.resetBuffer();
                writer.print("with a mark of the order of bytes");
            }
            case "/long-header" -> {
                response.setHeader("X-Long", "x".repeat(70_000));
                response.getWriter().print("ok");
            }
            case "/empty" -> response.setStatus(204);
            case "/early" -> {
                changeHead(response);
                response.getOutputStream().print("abc");
            }
            case "/late" -> {
                response.getOutputStream().print("beginning");
                response.flushBuffer();
                changeHead(response);
                response.addCookie(new Cookie("late", "cookie"));
            }
            case "/both" -> {
                response.getWriter().print("once");
                response.getOutputStream().print("twice");
            }
            case "/both-reversed" -> {
                response.getOutputStream().write('1');
                response.getWriter().print("twice");
            }
            case "/buffer-size" -> {
                response.setBufferSize(30_000);
                response.getOutputStream().write(new byte[20_000]);
                response.getOutputStream().print("committed: " + response.isCommitted());
            }
            case "/late-buffer-size" -> {
                response.getWriter().print("beginning");
                response.setBufferSize(30_000);
            }
            case "/after-the-end" -> {
                response.sendError(410);
                response.getOutputStream().print("is ignored");
                response.flushBuffer();
            }
            case "/stream-and-reader" -> {
                request.getInputStream();
                request.getReader();
            }
            case "/reader-and-stream" -> {
                request.getReader();
                request.getReader();
                request.getInputStream();
            }
            case "/parameter" -> response.getWriter().print(request.getParameter("a"));
            case "/parameters" ->
                response.getWriter().print(request.getParameterMap().keySet());
            case "/names" -> response.getWriter().print(Collections.list(request.getParameterNames()));
            case "/values" -> response.getWriter().print(List.of(request.getParameterValues("a")));
            case "/part" -> response.getWriter().print(request.getPart("a").getSize());
            case "/closed-body" -> {
                request.getInputStream().read();
                request.getInputStream().close();
            }
            default -> answerLater(what, request, response);
        }
    }

    private static void changeHead(HttpServletResponse response) {
        response.setStatus(203);
        response.setHeader("X-Set", "text");
        response.addHeader("X-Set", "more");
        response.addHeader("Content-Type", "text/plain");
        response.setDateHeader("X-Date", 0);
        response.addDateHeader("X-Date", 1_000);
        response.setIntHeader("X-Number", 1);
        response.addIntHeader("X-Number", 2);
        response.setContentType("text/html");
        response.setContentLength(2);
        response.setContentLengthLong(3);
        response.setLocale(Locale.FRENCH);
        response.setCharacterEncoding("UTF-16");
    }

    private void answerLater(String what, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        boolean again = request.getDispatcherType() == DispatcherType.ASYNC;
        switch (what) {
            case "/async" -> started.add(request.startAsync(request, response));
            case "/async-plain" -> started.add(request.startAsync());
            case "/timeout" -> request.startAsync(request, response).setTimeout(50);
            case "/context" -> {
                AsyncContext context = request.startAsync();
                context.setTimeout(9_000);
                context.addListener(context.createListener(Completed.class), request, response);
                context.start(() -> {
                    print(response, context.getRequest().getServerName() + " " + context.getTimeout());
                    request.getAsyncContext().complete();
                });
            }
            case "/dispatched" -> request.startAsync().dispatch("/raw/writer");
            case "/dispatched-there" -> request.startAsync().dispatch(request.getServletContext(), "/raw/writer");
            case "/dispatched-back" -> {
                if (again) {
                    response.getWriter().print("is back");
                } else {
                    request.startAsync().dispatch();
                }
            }
            case "/later-and-later" -> {
                AsyncContext context = request.startAsync();
                if (again) {
                    context.setTimeout(50); // and nobody answers
                } else {
                    context.dispatch();
                }
            }
            case "/read-without-blocking" ->
                request.getInputStream()
                        .setReadListener(new Echo(request.getInputStream(), response, request.startAsync()));
            case "/written-without-blocking" -> {
                AsyncContext context = request.startAsync();
                ServletOutputStream output = response.getOutputStream();
                output.setWriteListener(new Pieces(output, context));
            }
            case "/stream" -> {
                response.setContentType("text/event-stream");
                response.getWriter().print("data: 1\n\n");
                response.flushBuffer();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new ServletException(e);
                }
                response.getWriter().print("data: 2\n\n");
            }
            case "/large" -> {
                response.setContentType("text/plain");
                for (int i = 0; i < 1_000; i++) {
                    response.getOutputStream().write("0123456789".repeat(100).getBytes(StandardCharsets.UTF_8));
                }
            }
            default -> throw new ServletException("There is no " + what);
        }
    }

    /** Counts the answers that are complete. */
    public static final class Completed implements AsyncListener {

        static final AtomicInteger ALL = new AtomicInteger();

        /** For the container. */
        public Completed() {}

        @Override
        public void onComplete(AsyncEvent event) {
            ALL.incrementAndGet();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    /** Answers with the body, once it has come. */
    private record Echo(
            ServletInputStream input, HttpServletResponse response, AsyncContext context, ByteArrayOutputStream read)
            implements ReadListener {

        private Echo(ServletInputStream input, HttpServletResponse response, AsyncContext context) {
            this(input, response, context, new ByteArrayOutputStream());
        }

        @Override
        public void onDataAvailable() throws IOException {
            while (input.isReady() && !input.isFinished()) {
                read.write(input.read());
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            read.writeTo(response.getOutputStream());
            context.complete();
        }

        @Override
        public void onError(Throwable failure) {
            context.complete();
        }
    }

    /** Answers in pieces, each when there is room for it. */
    private static final class Pieces implements WriteListener {
        private final ServletOutputStream output;
        private final AsyncContext context;
        private int left = 10;

        private Pieces(ServletOutputStream output, AsyncContext context) {
            this.output = output;
            this.context = context;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (left > 0 && output.isReady()) {
                output.write('a' + --left);
            }
            if (left == 0) {
                context.complete();
            }
        }

        @Override
        public void onError(Throwable failure) {
            context.complete();
        }
    }
}
