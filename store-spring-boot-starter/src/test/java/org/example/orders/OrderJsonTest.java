package org.example.orders;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;

import static org.assertj.core.api.Assertions.assertThat;

@JsonTest
class OrderJsonTest {

    @Autowired
    private JacksonTester<Order> json;

    @Test
    void namesAreInSnakeCaseAndNullsAreLeftOut() throws IOException {
        assertThat(json.write(new Order("a", 100, null)))
                .isStrictlyEqualToJson("{\"order_number\": \"a\", \"article_price\": 100}");
    }
}
