package dev.ttlstore.spring.messagestore;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Integration's messages in the store.
 *
 * @param enabled Whether to offer a MessageGroupStore for Spring Integration's messages in the store.
 * @param allowedClasses Classes that payloads and headers may contain, in addition to Java's strings, numbers, times and
 *     collections, Spring's messages, and the classes in the packages of the application. Write 'com.example.Order' for a class,
 *     'com.example.*' for a package, or 'com.example.**' to include the packages below.
 * @since 0.1
 * @see StoreMessageStore
 */
@ConfigurationProperties("store.message-store")
public record StoreMessageStoreProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue List<String> allowedClasses) {}
