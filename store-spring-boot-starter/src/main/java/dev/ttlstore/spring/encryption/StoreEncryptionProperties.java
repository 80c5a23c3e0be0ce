package dev.ttlstore.spring.encryption;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of encryption at rest.
 *
 * @param groups Groups to encrypt, by full name. '*:' and a name stands for the group of that name in every
 *     scope, '*' for all groups. By default none is encrypted.
 * @param keyset Location of the keys, a Tink keyset in JSON, such as 'file:/etc/app/keyset.json'. A location without a prefix is a file.
 * @param createKeyset Whether to create the keyset at start-up if its file does not exist. The start fails if the
 *     store already has entries in groups to encrypt, because a new keyset cannot decrypt them.
 * @param readPlain Whether to accept values that are not encrypted, during a migration.
 * @since 0.1
 * @see StoreKeyset
 */
@ConfigurationProperties("store.encryption")
public record StoreEncryptionProperties(
        @DefaultValue List<String> groups,
        @Nullable String keyset,
        @DefaultValue("false") boolean createKeyset,
        @DefaultValue("false") boolean readPlain) {}
