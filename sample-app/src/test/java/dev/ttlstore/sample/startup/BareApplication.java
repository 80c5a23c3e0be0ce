package dev.ttlstore.sample.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** A web application that has nothing but what its class path brings. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BareApplication {

    public static void main(String[] args) {
        SpringApplication.run(BareApplication.class, args);
    }
}
