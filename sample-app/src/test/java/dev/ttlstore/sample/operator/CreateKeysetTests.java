package dev.ttlstore.sample.operator;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@ExtendWith(OutputCaptureExtension.class)
class CreateKeysetTests {

    @TempDir
    private Path folder;

    @Test
    void keysAreCreatedOnceAndNeverReplaced(CapturedOutput output) throws Exception {
        Path file = folder.resolve("keys.json");
        CreateKeyset.main(new String[] {file.toString()});
        byte[] keys = Files.readAllBytes(file);
        CreateKeyset.main(new String[] {file.toString()});
        assertThat(Files.readAllBytes(file)).isEqualTo(keys);
        assertThat(output).contains(file + " has been created", file + " exists, and was not changed");
    }

    @Test
    void itTakesOneFile() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CreateKeyset.main(new String[0]))
                .withMessageContaining("Name the file");
        assertThatIllegalArgumentException().isThrownBy(() -> CreateKeyset.main(new String[] {"a", "b"}));
    }
}
