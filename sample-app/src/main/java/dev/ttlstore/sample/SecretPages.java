package dev.ttlstore.sample;

import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of the sender and the receiver. To get one changes nothing, so link previews burn nothing. */
@Page
class SecretPages {

    private final SecretsProperties properties;

    SecretPages(SecretsProperties properties) {
        this.properties = properties;
    }

    @GetMapping("/")
    String sender(@RequestParam(required = false) @Nullable String team, Model model) {
        model.addAttribute("title", "New secret");
        model.addAttribute("team", team == null ? properties.team() : Team.check(team));
        return "sender";
    }

    /** The same page for everyone: the key is in a part of the link that browsers do not send. */
    @GetMapping("/reveal")
    String receiver(Model model) {
        model.addAttribute("title", "A secret for you");
        return "reveal";
    }
}
