package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.awaitility.Awaitility.await;

@SpringBootTest
class NightlyReportTest {

    @Autowired
    private NightlyReport report;

    @Test
    void theReportIsWrittenAgainAndAgain() {
        int before = report.runs();
        await().until(() -> report.runs() > before + 2);
    }
}
