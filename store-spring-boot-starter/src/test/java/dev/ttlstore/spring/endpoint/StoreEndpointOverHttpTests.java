package dev.ttlstore.spring.endpoint;

import java.lang.management.ManagementFactory;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint in an application whose rules of access are by path. */
@SpringBootTest(
        properties = {
            "store.in-memory=true",
            "management.endpoints.web.exposure.include=store",
            "management.endpoints.jmx.exposure.include=store",
            "management.endpoint.store.access=unrestricted",
            "spring.jmx.enabled=true"
        })
@AutoConfigureMockMvc
@DirtiesContext
class StoreEndpointOverHttpTests {

    @Autowired
    private MockMvcTester http;

    @Autowired
    private Store store;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebSecurity
    static class Application {

        @Bean
        SecurityFilterChain rules(HttpSecurity security) {
            return security.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/store/secrets")
                            .denyAll()
                            .anyRequest()
                            .permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @BeforeEach
    void fill() {
        store.deletePrefix("");
        store.group("plain").put("key", "value");
        store.group("secrets").put("key", "value");
        store.group("a/b").put("key", "value");
    }

    /** So that a dashboard finds each figure by its name. */
    @Test
    void theOverviewIsFlat() {
        assertThat(http.get().uri("/actuator/store"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$")
                .asMap()
                .containsEntry("entries", 3)
                .containsKeys("engine", "expired", "retained", "fileBytes", "walBytes", "purgeLag")
                .containsKeys("activity", "groups", "moreGroups", "scopes", "subscribers")
                .hasSize(12);
    }

    @Test
    void aGroupIsTheOneOfThePath() {
        assertThat(http.get().uri("/actuator/store/plain"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("name")
                .isEqualTo("plain");
        assertThat(http.get().uri("/actuator/store/a/b"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("name")
                .isEqualTo("a/b");
        assertThat(http.get().uri("/actuator/store/nosuch")).hasStatus(404);
        assertThat(http.get().uri("/actuator/store/secrets")).hasStatus(403);
        assertThat(http.delete().uri("/actuator/store/plain?other=secrets")).hasStatusOk();
        assertThat(store.groups()).containsExactly("a/b", "secrets");
    }

    /** Or a rule by path would let pass what it forbids, and the log would have another group. */
    @ParameterizedTest
    @ValueSource(strings = {"path=secrets", "path=secrets&path=more", "path=nosuch&path=secrets", "path=", "path"})
    void aParameterDoesNotNameAGroup(String query) {
        assertRefused(http.get().uri("/actuator/store/plain?" + query).exchange());
        assertRefused(http.delete().uri("/actuator/store/nosuch?" + query).exchange());
        assertThat(store.groups()).containsExactly("a/b", "plain", "secrets");
    }

    @Test
    void aFieldOfAFormDoesNotNameAGroup() {
        assertRefused(http.delete()
                .uri("/actuator/store/nosuch")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .content("path=secrets")
                .exchange());
        assertThat(store.groups()).containsExactly("a/b", "plain", "secrets");
    }

    @Test
    void theClientLearnsWhatToLeaveOut() {
        assertThat(http.get()
                        .uri("/actuator/store/plain?path=secrets")
                        .exchange()
                        .getResponse()
                        .getErrorMessage())
                .contains("leave the parameter out");
    }

    private static void assertRefused(MvcTestResult answer) {
        assertThat(answer).hasStatus(400);
    }

    @Test
    void otherOperationsHaveNoParameters() {
        assertThat(http.get().uri("/actuator/store?path=secrets"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("entries")
                .isEqualTo(3);
        assertThat(http.post().uri("/actuator/store?path=secrets")).hasStatusOk();
        assertThat(store.count()).isEqualTo(3);
    }

    @Test
    void overJmxAGroupIsAnArgument() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName endpoint = new ObjectName("org.springframework.boot:type=Endpoint,name=Store");
        String[] signature = {Object.class.getName()};
        assertThat(server.invoke(endpoint, "group", new Object[] {"plain"}, signature))
                .asString()
                .contains("name=plain");
        assertThat(server.invoke(endpoint, "delete", new Object[] {new String[] {"a", "b"}}, signature))
                .asString()
                .contains("removed=1");
        assertThat(store.groups()).containsExactly("plain", "secrets");
    }
}
