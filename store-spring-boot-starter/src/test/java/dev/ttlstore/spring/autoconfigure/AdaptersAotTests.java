package dev.ttlstore.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.InputStreamSource;
import org.springframework.javapoet.ClassName;

import dev.ttlstore.spring.chatmemory.StoreChatMemoryAutoConfiguration;
import dev.ttlstore.spring.lock.StoreLockRegistryAutoConfiguration;
import dev.ttlstore.spring.messagestore.StoreMessageStoreAutoConfiguration;
import dev.ttlstore.spring.metadata.StoreMetadataStoreAutoConfiguration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

/** The build of an application decides which adapters there are. */
@Tag("variant")
class AdaptersAotTests {

    @TempDir
    private Path folder;

    @Test
    void theGeneratedDefinitionsHaveTheAdapters() throws IOException {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        process(files);
        StringBuilder sources = new StringBuilder();
        for (InputStreamSource source :
                files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).values()) {
            sources.append(new String(source.getInputStream().readAllBytes(), UTF_8));
        }
        assertThat(sources)
                .contains(
                        "\"ttlStoreLockRegistry\"",
                        "\"metadataStore\"",
                        "\"ttlStoreMessageStore\"",
                        "\"ttlStoreChatMemoryRepository\"");
    }

    @Test
    void thePropertiesOfAdaptersThatAreNotEnabledAreKnownInANativeImage() {
        RuntimeHints hints = process(new InMemoryGeneratedFiles());
        assertThat(PropertyRecordsTests.all())
                .allSatisfy(type -> assertThat(reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]))
                        .accepts(hints));
    }

    private RuntimeHints process(InMemoryGeneratedFiles files) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(
                            "store.path=" + folder.resolve("store.db"),
                            "store.lock-registry.enabled=true",
                            "store.metadata-store.enabled=true",
                            "store.message-store.enabled=true",
                            "store.chat-memory.enabled=true")
                    .applyTo(context);
            context.register(
                    StoreAutoConfiguration.class,
                    StoreLockRegistryAutoConfiguration.class,
                    StoreMessageStoreAutoConfiguration.class,
                    StoreMetadataStoreAutoConfiguration.class,
                    StoreChatMemoryAutoConfiguration.class);
            DefaultGenerationContext generation =
                    new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(getClass())), files);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return generation.getRuntimeHints();
        }
    }
}
