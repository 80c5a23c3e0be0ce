package org.example.orders;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
class OrdersApplication {

    /** A bean named {@code store} that is a shop. */
    @Bean
    Store store() {
        return new Store("Berlin");
    }
}
