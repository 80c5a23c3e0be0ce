package dev.ttlstore.sample.browser;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.ttlstore.sample.Nodes;
import dev.ttlstore.sample.OnThreeNodes;
import dev.ttlstore.sample.SampleClient;

/** The live page needs most of what nodes tell each other, so {@code -Pthorough} always has it on three nodes. */
@OnThreeNodes
class TeamPageOnThreeNodesTests extends TeamPageTests {

    @Autowired
    private ApplicationContext test;

    @Test
    void aPageOfOneNodeShowsWhatAnotherDoes(Browser browser) {
        Nodes nodes = Nodes.of(test);
        browser.reset(nodes.port(0));
        browser.open("/teams/globex");
        browser.seeText("#connection", "live");
        SampleClient third = new SampleClient(nodes.port(2));
        Stream.of("PT10M", "PT1S").forEach(ttl -> third.kept("globex", "hunter2", ttl));
        browser.seeText("#activity > li", "was created");
        browser.seeText("#activity > li", "expired unread");
        third.reveal(third.kept("globex", "hunter3", "PT10M"));
        browser.seeText("#activity > li", "was read");
        browser.seeText("#usage-text", "1 of 100");
    }
}
