package dev.ttlstore.sample.browser;

import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.ttlstore.sample.Nodes;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/** What a team sees of its secrets, as it happens. */
@BrowserTest
@Tag("slow")
class TeamPageTests {

    private static final int MORE_THAN_IS_KEPT = 230;

    @Autowired
    private ApplicationContext sample;

    @Test
    void theTeamSeesWhatHappensAsItHappens(Browser browser) {
        browser.open("/teams/globex");
        browser.seeText("#connection", "live");
        SampleClient client = new SampleClient(browser.port());
        String location = client.kept("globex", "hunter2", "PT30M");
        Stream.of("PT7M", "PT22M", "PT23M", "PT52M", "PT3H", "PT11H", "PT21H", "P3D", "P7D", "P7DT1H", "P28D")
                .forEach(ttl -> client.keep("globex", "hunter2", ttl, SampleTest.ADMIN, SampleTest.PASSWORD));
        browser.seeCount("#activity > li", 12);
        client.reveal(location);
        browser.seeText("#activity > li", "was read");
        browser.seeText("#expiring", "4 in the next hour");
        browser.click(".ranges a[href$=day]");
        browser.seeText("#expiring", "7 in the next 24 hours");
        browser.seeText("#connection", "live");
        browser.seeCount("figure", 1);
        assertThat(browser.text("body")).doesNotContain("hunter2");
        Screens.take(browser, "team");
    }

    @Test
    void theTeamIsToldThatItsQuotaIsNearlyReached(Browser browser) {
        browser.open("/teams/" + SampleTest.SMALL_TEAM);
        browser.seeText("#connection", "live");
        SampleClient client = new SampleClient(browser.port());
        for (int i = 0; i < 4; i++) {
            client.kept(SampleTest.SMALL_TEAM, "hunter2", "PT1H");
        }
        browser.seeText("#activity", "nearly reached");
        browser.seeText("#usage-text", "4 of 5.*nearly reached");
        assertThat(browser.run("document.querySelector('#usage').value").toString())
                .isEqualTo("80");
        client.kept(SampleTest.SMALL_TEAM, "hunter2", "PT1H");
        browser.seeText("#usage-text.full", "used up"); // as red as the bar
    }

    @Test
    void thePageConnectsAgainAndShowsWhatItHasMissed(Browser browser) {
        SampleClient client = new SampleClient(browser.port());
        client.kept("acme", "hunter2", "PT1H");
        browser.open("/teams/acme");
        browser.seeText("#connection", "live");
        Nodes.of(sample).stopStreams();
        client.kept("acme", "hunter2", "PT1H");
        Nodes.of(sample).startStreams();
        browser.seeText("#connection", "reconnecting");
        browser.seeText("#connection", "live");
        browser.seeCount("#activity > li", 2);
        assertThat(browser.text("#connection")).doesNotContain("missed");
    }

    @Test
    void thePageTellsOfAGapThatCannotBeFilled(Browser browser) {
        SampleClient client = new SampleClient(browser.port());
        client.kept("acme", "hunter2", "PT1H");
        browser.open("/teams/acme");
        browser.seeText("#connection", "live");
        Nodes.of(sample).stopStreams();
        for (int i = 0; i < MORE_THAN_IS_KEPT; i++) {
            client.kept("acme", "hunter2", "PT1H");
        }
        Nodes.of(sample).startStreams();
        browser.seeText("#connection", "live.*missed");
    }
}
