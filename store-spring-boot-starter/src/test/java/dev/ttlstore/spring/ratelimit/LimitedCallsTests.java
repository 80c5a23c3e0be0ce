package dev.ttlstore.spring.ratelimit;

import java.io.IOException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import dev.ttlstore.Store;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import reactor.core.publisher.Mono;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

/** Filters that limit the calls of a client by its API key. */
class LimitedCallsTests {

    private static final BucketConfiguration HUNDRED_A_DAY = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(100).refillGreedy(100, Duration.ofDays(1)))
            .build();

    private final Store store = Store.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    static class CallLimit extends OncePerRequestFilter {

        private final ProxyManager<String> buckets;

        CallLimit(ProxyManager<String> buckets) {
            this.buckets = buckets;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            ConsumptionProbe call = buckets.builder()
                    .build(client(request.getHeader("X-Api-Key")), () -> HUNDRED_A_DAY)
                    .tryConsumeAndReturnRemaining(1);
            if (call.isConsumed()) {
                chain.doFilter(request, response);
            } else {
                Duration wait = Duration.ofNanos(call.getNanosToWaitForRefill()).plusSeconds(1);
                response.setHeader("Retry-After", "" + wait.toSeconds());
                response.sendError(429);
            }
        }
    }

    WebFilter callLimit(AsyncProxyManager<String> buckets) {
        return (exchange, chain) -> Mono.fromFuture(
                        () -> limit(buckets, exchange).tryConsume(1))
                .flatMap(allowed -> allowed ? chain.filter(exchange) : refuse(exchange));
    }

    AsyncBucketProxy limit(AsyncProxyManager<String> buckets, ServerWebExchange exchange) {
        String client = client(exchange.getRequest().getHeaders().getFirst("X-Api-Key"));
        return buckets.builder().build(client, () -> completedFuture(HUNDRED_A_DAY));
    }

    private static Mono<Void> refuse(ServerWebExchange exchange) {
        exchange.getResponse().setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
        return exchange.getResponse().setComplete();
    }

    /** Names the bucket of a client. */
    private static String client(@Nullable String apiKey) {
        return "client-" + Integer.toHexString(String.valueOf(apiKey).hashCode());
    }

    private MockHttpServletResponse call(CallLimit limit, String apiKey) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader("X-Api-Key", apiKey);
        MockHttpServletResponse response = new MockHttpServletResponse();
        limit.doFilter(request, response, new MockFilterChain());
        return response;
    }

    @Test
    void aServletFilterRefusesWhatIsTooMuchAndSaysWhenToRetry() throws Exception {
        CallLimit limit = new CallLimit(StoreProxyManager.builderFor(store).build());
        for (int i = 0; i < 100; i++) {
            assertThat(call(limit, "ann").getStatus()).isEqualTo(200);
        }
        MockHttpServletResponse refused = call(limit, "ann");
        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(Integer.parseInt(String.valueOf(refused.getHeader("Retry-After"))))
                .isBetween(860, 865);
        assertThat(call(limit, "bob").getStatus()).isEqualTo(200);
    }

    private static @Nullable HttpStatusCode call(WebFilter limit, String apiKey) {
        ServerWebExchange exchange =
                MockServerWebExchange.from(MockServerHttpRequest.get("/").header("X-Api-Key", apiKey));
        WebFilterChain chain = passed -> {
            passed.getResponse().setStatusCode(HttpStatus.OK);
            return Mono.empty();
        };
        limit.filter(exchange, chain).block();
        return exchange.getResponse().getStatusCode();
    }

    @Test
    void aWebFilterDoesThatToo() {
        WebFilter limit = callLimit(StoreProxyManager.builderFor(store).build().asAsync());
        for (int i = 0; i < 100; i++) {
            assertThat(call(limit, "ann")).isEqualTo(HttpStatus.OK);
        }
        assertThat(call(limit, "ann")).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
        assertThat(call(limit, "bob")).isEqualTo(HttpStatus.OK);
    }
}
