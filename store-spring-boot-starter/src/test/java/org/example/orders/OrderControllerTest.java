package org.example.orders;

import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

@WebMvcTest(OrderController.class)
class OrderControllerTest {

    @Autowired
    private MockMvcTester mvc;

    @MockitoBean
    private Orders orders;

    @Test
    void anOrderIsShown() {
        when(orders.find("a")).thenReturn(Optional.of(new Order("a", 100, null)));
        assertThat(mvc.get().uri("/orders/a"))
                .hasStatusOk()
                .bodyJson()
                .isStrictlyEqualTo("{\"order_number\": \"a\", \"article_price\": 100}");
    }

    @Test
    void anUnknownOrderIsNotFound() {
        when(orders.find("b")).thenReturn(Optional.empty());
        assertThat(mvc.get().uri("/orders/b")).hasStatus(HttpStatus.NOT_FOUND);
    }
}
