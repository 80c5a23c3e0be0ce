package dev.ttlstore.spring.diagnostics;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What a user reads when the application does not start because of a method with {@code @OnExpiry}. */
@ExtendWith(OutputCaptureExtension.class)
class ExpiryHandlerFailureAnalysisTests {

    @TempDir
    private Path folder;

    record Invite(String mail) {}

    @Test
    void aMethodThatCannotBeCalledIsToldWithTheRemedy(CapturedOutput output) {
        FailingStart.at(folder.resolve("store.db")).with(TwoParameters.class).run();
        Report report = Report.in(output);
        assertThat(report.description())
                .isEqualTo("The @OnExpiry method " + TwoParameters.class.getName()
                        + ".onExpired(String, long) cannot be called when entries expire: it has 2 parameters.");
        assertThat(report.action()).startsWith("Declare one parameter");
    }

    @Test
    void aMethodWhoseValuesNeedJacksonIsToldWithItsDependency(CapturedOutput output) {
        FailingStart.at(folder.resolve("store.db"))
                .with(Reminders.class)
                .without(JsonMapper.class)
                .run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("remind(ExpiredEntry)", "no codec for " + Invite.class.getName());
        assertThat(report.action()).contains("spring-boot-starter-jackson", "CodecFactory bean");
    }

    static class TwoParameters {

        @OnExpiry(subscriber = "subscriber", group = "texts")
        void onExpired(String value, long version) {}
    }

    static class Reminders {

        @OnExpiry(subscriber = "reminders", group = "invites")
        void remind(ExpiredEntry<Invite> invite) {}
    }
}
