package dev.ttlstore.spring.diagnostics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.exception.EngineVersionException;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.spring.Java;

import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What a user reads when the application does not start because of a library that is missing or does not work here. */
@Tag("variant")
@ExtendWith(OutputCaptureExtension.class)
class LibraryFailureAnalysisTests {

    @TempDir
    private Path folder;

    record Invite(String mail) {}

    @Test
    void jsonValuesWithoutJacksonAreToldWithItsDependency(CapturedOutput output) {
        start().with(Invitations.class).without(JsonMapper.class).run();
        Report report = Report.in(output);
        assertThat(report.description())
                .startsWith("Values of " + Invite.class.getName() + " cannot be stored")
                .contains("Jackson")
                .endsWith("is not on the class path.");
        assertThat(report.action())
                .contains("org.springframework.boot:spring-boot-starter-jackson", "CodecFactory bean");
    }

    @Test
    void aClassThatTheApplicationsCodecsDoNotKnowIsToldAsTheirBusiness(CapturedOutput output) {
        start().with(Invitations.class).with(NoCodecs.class).run();
        Report report = Report.in(output);
        assertThat(report.description())
                .isEqualTo("Values of " + Invite.class.getName()
                        + " cannot be stored, because there is no codec for them.");
        assertThat(report.action())
                .contains("CodecFactory bean", Invite.class.getName())
                .doesNotContain("jackson");
    }

    /** JMustache is not on the class path of these tests, as it is not on an application's unless asked for. */
    @Test
    void aTemplateWithoutJMustacheIsToldWithItsDependency(CapturedOutput output) {
        start().with(Letters.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).isEqualTo("Templates need JMustache, which is not on the class path.");
        assertThat(report.action()).startsWith("Add the dependency com.samskivert:jmustache");
    }

    @Test
    void aCacheWithoutCaffeineIsToldWithItsDependencyOrHowToDoWithout(CapturedOutput output) {
        start().with(NoCaffeine.class).run();
        assertThat(Report.in(output).action())
                .contains("com.github.ben-manes.caffeine:caffeine", "'store.near-cache.max-size=0'");
    }

    @Test
    void aVersionOfSqliteThatIsNotSafeIsToldWithTheFirstOneThatIs(CapturedOutput output) {
        start().with(OldSqlite.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).isEqualTo("SQLite 3.46.1 can corrupt a database in WAL mode.");
        assertThat(report.action())
                .contains("org.xerial:sqlite-jdbc in version 3.51.3.0 or later", "'sqlite-jdbc.version'");
    }

    /** A file in place of the folder fails as one that is mounted noexec does, and needs no rights to be set up. */
    @Tag("slow")
    @Test
    void aNativeLibraryThatCannotBeUnpackedIsToldWithItsFolderAndTheProperty() throws IOException {
        Path noFolder = Files.createFile(folder.resolve("no-folder"));
        Process process = Java.start(
                List.of("-Dorg.sqlite.tmpdir=" + noFolder),
                FailingStart.class,
                "--store.path=" + folder.resolve("store.db"));
        Report report = Report.in(new String(process.getInputStream().readAllBytes(), UTF_8));
        assertThat(report.description()).contains("native library", noFolder.toString());
        assertThat(report.action()).contains("noexec", "-Dorg.sqlite.tmpdir=", "-Djava.io.tmpdir");
        assertThat(folder.resolve("store.db")).doesNotExist();
    }

    @Test
    void aGroupThatIsNotDeclared(CapturedOutput output) {
        start().with(Drafts.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("drafts", "requires a group that is not declared");
        assertThat(report.action()).contains("store.groups.", "@Qualifier", "Group<String> acme", "inject Store");
    }

    @Test
    void countersThatAreNotDeclaredAreToldWithTheirDeclaration(CapturedOutput output) {
        start().with(Calls.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("calls", "requires a group that is not declared");
        assertThat(report.action()).contains("store.groups.", "@Qualifier(\"acme\") Counters acme", "inject Store");
    }

    @Test
    void aScopeThatIsNotDeclared(CapturedOutput output) {
        start().with(Tenants.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("tenants", "requires a scope that is not declared");
        assertThat(report.action()).contains("store.scopes.", "inject Store");
    }

    @Test
    void twoCodecFactoriesAndNoneIsThePrimaryOne(CapturedOutput output) {
        start().with(NoCodecs.class).with(OtherCodecs.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("codecFactory", "otherCodecFactory");
        assertThat(report.action()).contains("@Primary");
    }

    private FailingStart start() {
        return FailingStart.at(folder.resolve("store.db"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Invitations {

        @Bean
        Group<Invite> invites(Store store) {
            return store.group("invites", Invite.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoCodecs {

        @Bean
        CodecFactory codecFactory() {
            return new CodecFactory() {
                @Override
                public <V> @Nullable Codec<V> codec(Class<V> type) {
                    return null;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherCodecs {

        @Bean
        CodecFactory otherCodecFactory() {
            return new NoCodecs().codecFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Drafts {

        @Bean
        String drafts(@Qualifier("nothere") Group<String> drafts) {
            return drafts.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Calls {

        @Bean
        String calls(@Qualifier("nothere") Counters calls) {
            return calls.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenants {

        @Bean
        String tenants(Scope acme) {
            return acme.namespace();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Letters {

        @Bean
        String letter(Store store) {
            return store.group("texts").render("Dear {{name}}");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoCaffeine {

        @Bean
        Store ownStore() {
            throw new MissingLibraryException(
                    "com.github.ben-manes.caffeine:caffeine", "The cache needs it", "Add it", new LinkageError());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OldSqlite {

        @Bean
        Store ownStore() {
            throw new EngineVersionException(
                    "3.46.1", "3.51.3", "SQLite 3.46.1 can corrupt a database in WAL mode", "Use a later one", null);
        }
    }
}
