package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrdersApiTest {

    @LocalServerPort
    private int port;

    private RestClient client() {
        return RestClient.create("http://localhost:" + port);
    }

    @Test
    void anOrderIsPlaced() {
        assertThat(client().put()
                        .uri("/orders/a")
                        .header("Content-Type", "application/json")
                        .body("{\"article_price\": 100}")
                        .retrieve()
                        .toBodilessEntity()
                        .getStatusCode())
                .isEqualTo(HttpStatus.CREATED);
        assertThat(client().get().uri("/orders/a").retrieve().body(String.class))
                .contains("\"article_price\":100");
    }

    @Test
    void theApplicationIsHealthy() {
        assertThat(client().get().uri("/actuator/health").retrieve().body(String.class))
                .contains("\"status\":\"UP\"");
    }
}
