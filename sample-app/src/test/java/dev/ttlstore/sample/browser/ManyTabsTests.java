package dev.ttlstore.sample.browser;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.team.LiveActivity;

import static org.assertj.core.api.Assertions.assertThat;

/** A browser has six connections for all its pages of a site, and each live page that is shown needs one. */
@BrowserTest
@Tag("page")
@TestPropertySource(properties = {"secrets.streams=16", "secrets.streams-per-client=16"})
class ManyTabsTests {

    @Autowired
    private LiveActivity live;

    @Test
    void aPageThatIsHiddenLeavesItsConnectionToOthersAndMissesNothing(Browser browser) {
        List<String> tabs = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            tabs.add(browser.openTab("/teams/globex"));
            browser.seeText("#connection", "live");
        }
        // The server notices a closed stream when it sends the next event.
        SampleClient client = new SampleClient(browser.port());
        String location = client.kept("globex", "hunter2", "PT30M");
        browser.seeText("#activity > li", "was created");
        client.reveal(location);
        browser.until("one stream is open", () -> live.size() == 1);
        browser.showTab(tabs.get(0));
        browser.seeText("#connection", "live");
        browser.seeCount("#activity > li", 2);
        assertThat(browser.text("#connection")).doesNotContain("missed");
        browser.seeText("#usage-text", "0 of 100");
        assertThat(browser.openTab("/?team=globex")).isNotEmpty();
        browser.see("#create");
    }
}
