package dev.ttlstore.sample.operator;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.stereotype.Component;

import dev.ttlstore.sample.web.SecretsProperties;

/**
 * Adds the logins of senders to that of the operator, which Boot creates. A sender creates secrets without the limits of
 * others, and for teams that take a login, but does not operate the application.
 */
@Component
class SenderLogins {

    SenderLogins(
            InMemoryUserDetailsManager users,
            SecretsProperties properties,
            @Value("${spring.security.user.password:}") String operatorPassword) {
        Passwords.check("spring.security.user.password", operatorPassword);
        for (SecretsProperties.Login sender : properties.senders()) {
            if (sender.name().isEmpty() || sender.password().isEmpty()) {
                throw new IllegalStateException("Each of 'secrets.senders' needs a 'name' and a 'password'");
            }
            if (users.userExists(sender.name())) {
                throw new IllegalStateException(
                        "'secrets.senders' has a name twice, or that of the operator. Give each its own");
            }
            users.createUser(User.withUsername(sender.name())
                    .password(Passwords.check("secrets.senders", sender.password()))
                    .authorities("ROLE_SENDER")
                    .build());
        }
    }
}
