package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.sample.OnThreeNodes;
import dev.ttlstore.sample.SampleTest;

@OnThreeNodes
@Tag("campaign")
class AdminPageOnThreeNodesTests extends AdminPageTests {

    /** Every node has a file of its own. */
    @Test
    @Override
    void keysAreRotatedAfterAQuestion(Browser browser) {
        browser.open("/admin");
        logIn(browser, SampleTest.PASSWORD);
        browser.see("#purge");
        browser.seeNo("#rotate");
    }
}
