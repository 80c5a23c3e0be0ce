package org.example.payments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
public class PaymentsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(PaymentsApplication.class, arguments);
    }
}
