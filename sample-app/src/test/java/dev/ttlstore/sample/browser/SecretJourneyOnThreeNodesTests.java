package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;

import dev.ttlstore.sample.OnThreeNodes;

@OnThreeNodes
@Tag("campaign")
class SecretJourneyOnThreeNodesTests extends SecretJourneyTests {}
