package org.example.visits;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
public class VisitsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(VisitsApplication.class, arguments);
    }
}
