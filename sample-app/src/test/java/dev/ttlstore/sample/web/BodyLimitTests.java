package dev.ttlstore.sample.web;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.ServletRequest;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class BodyLimitTests {

    /** Which is why {@link ReadBody} has it. */
    @Test
    void whatItHasReadIsNoLongerInTheServersRequest() throws Exception {
        SecretsProperties properties = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("secrets", SecretsProperties.class);
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/page/secrets");
        request.setContentType("application/x-www-form-urlencoded");
        request.setContent("value=a+b".getBytes(StandardCharsets.UTF_8));
        MockFilterChain chain = new MockFilterChain();
        new BodyLimit(properties, new Uploads(properties)).doFilter(request, new MockHttpServletResponse(), chain);
        assertThat(request.getInputStream().readAllBytes()).isEmpty();
        ServletRequest passed = requireNonNull(chain.getRequest());
        assertThat(passed.getInputStream().readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("value=a+b");
        assertThat(passed.getParameter("value")).isEqualTo("a b");
    }
}
