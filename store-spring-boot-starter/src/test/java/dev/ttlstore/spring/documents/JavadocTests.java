package dev.ttlstore.spring.documents;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ttlstore.documents.JavadocRules;

/** The Javadoc of the starter. */
class JavadocTests extends JavadocRules {

    private static final List<String> PACKAGES = List.of(
            "com.fasterxml.jackson.annotation.JsonInclude",
            "dev.ttlstore.*",
            "dev.ttlstore.event.*",
            "dev.ttlstore.expiry.*",
            "dev.ttlstore.postgresql.*",
            "dev.ttlstore.serialization.*",
            "dev.ttlstore.spring.session.JsonAttributes",
            "io.github.bucket4j.*",
            "io.github.bucket4j.distributed.proxy.*",
            "io.micrometer.common.KeyValues",
            "io.micrometer.core.instrument.MeterRegistry",
            "io.micrometer.core.instrument.Tags",
            "io.micrometer.core.instrument.simple.*",
            "java.nio.file.*",
            "java.security.*",
            "java.time.*",
            "java.util.*",
            "javax.sql.DataSource",
            "net.javacrumbs.shedlock.spring.annotation.*",
            "org.junit.jupiter.api.Test",
            "org.springframework.ai.chat.memory.*",
            "org.springframework.beans.factory.annotation.*",
            "org.springframework.boot.jdbc.DataSourceBuilder",
            "org.springframework.boot.test.context.SpringBootTest",
            "org.springframework.cache.*",
            "org.springframework.cache.annotation.*",
            "org.springframework.context.annotation.*",
            "org.springframework.context.event.EventListener",
            "org.springframework.integration.dsl.*",
            "org.springframework.integration.store.*",
            "org.springframework.jdbc.core.simple.*",
            "org.springframework.scheduling.annotation.*",
            "org.springframework.security.config.annotation.web.builders.*",
            "org.springframework.security.web.*",
            "org.springframework.transaction.annotation.*",
            "reactor.core.publisher.*",
            "tools.jackson.databind.json.*",
            "static org.assertj.core.api.Assertions.*");

    /** Most are public only because packages of the starter share them. */
    private static final String WITHOUT_EXAMPLE = """
            autoconfigure.ApplicationClasses
            autoconfigure.BuilderSettings
            autoconfigure.ConfiguredStore
            autoconfigure.Interval
            autoconfigure.IntervalConverter
            autoconfigure.OwnConnections
            autoconfigure.PropertyValue
            autoconfigure.StoreDataSources
            autoconfigure.StoresOfContext
            encryption.OnEncryptedGroupsCondition
            endpoint.StoreEndpointWebExtension
            expiry.ExpiryCalls
            expiry.StoreExpiryHandlers
            json.ConstructedTypes
            json.ExactJson
            json.JsonProblems
            json.ReadBack
            keys.AnyText
            keys.TextKeys
            observation.DefaultStoreObservationConvention
            observation.StoreObservationContext
            recent.Recent
            scheduling.LastingTaskScheduler
            security.AuthorizationHints
            session.SessionExpiries
            session.StoreSession
            transaction.ConflictTranslator
            transaction.OutsideTransaction
            transaction.TransactionListenerRegistrar
            values.SpringValues
            values.TypeNames
            values.ValueTypes
            """;

    private static final Pattern NOT_FOR_APPLICATIONS = Pattern.compile(".*(?:Exception|AutoConfiguration)");

    JavadocTests() {
        super(
                PACKAGES,
                WITHOUT_EXAMPLE.lines().map("dev.ttlstore.spring."::concat).collect(Collectors.toSet()),
                NOT_FOR_APPLICATIONS);
    }
}
