package dev.ttlstore.sample;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

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

    /**
     * The form of the sender's page, sent by a browser in place of the page's script. Its fields have no names, so a secret is
     * not among what comes; of what comes all the same, nothing is looked at.
     */
    @PostMapping("/")
    ModelAndView withoutScript() {
        return PageProblems.page(
                HttpStatus.BAD_REQUEST,
                "The page needs its script",
                "No link was created, and nothing was stored. Go back, load the page again, and see that its script is allowed.");
    }

    /** The same page for everyone: the key is in a part of the link that browsers do not send. */
    @GetMapping("/reveal")
    String receiver(Model model) {
        model.addAttribute("title", "A secret for you");
        return "reveal";
    }
}
