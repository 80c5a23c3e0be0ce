package dev.ttlstore.spring.test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** What {@code @SpringBootTest} finds, as it finds the application of a user. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Invitations.class, ToldExpiries.class})
class InvitationsApplication {}
