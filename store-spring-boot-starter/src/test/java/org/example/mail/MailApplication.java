package org.example.mail;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.annotation.IdempotentReceiver;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.handler.advice.IdempotentReceiverInterceptor;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.selector.MetadataStoreSelector;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.MessageHandler;

/** Receives each mail once, and has one leader. */
@Configuration(proxyBeanMethods = false)
@EnableIntegration
public class MailApplication {

    /** The mails that were received. */
    public static class Mails {

        private final List<Object> received = new CopyOnWriteArrayList<>();

        /** Returns them in their order. */
        public List<Object> received() {
            return received;
        }
    }

    @Bean
    Mails mails() {
        return new Mails();
    }

    @Bean
    DirectChannel mailChannel() {
        return new DirectChannel();
    }

    @Bean
    IdempotentReceiverInterceptor oncePerMail(ConcurrentMetadataStore metadata) {
        IdempotentReceiverInterceptor interceptor = new IdempotentReceiverInterceptor(
                new MetadataStoreSelector(mail -> "mail-" + mail.getHeaders().get("mailId"), metadata));
        interceptor.setDiscardChannelName("nullChannel");
        return interceptor;
    }

    @Bean
    @ServiceActivator(inputChannel = "mailChannel")
    @IdempotentReceiver("oncePerMail")
    MessageHandler receive(Mails mails) {
        return mail -> mails.received().add(mail.getPayload());
    }

    @Bean
    LockRegistryLeaderInitiator leader(LockRegistry<DistributedLock> locks) {
        LockRegistryLeaderInitiator leader =
                new LockRegistryLeaderInitiator(locks, new DefaultCandidate("instance", "mailbox"));
        leader.setHeartBeatMillis(50); // so that a change of the leader is soon seen
        leader.setBusyWaitMillis(50);
        return leader;
    }
}
