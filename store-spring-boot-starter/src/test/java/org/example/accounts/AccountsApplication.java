package org.example.accounts;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
public class AccountsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(AccountsApplication.class, arguments);
    }
}
