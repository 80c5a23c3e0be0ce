package dev.ttlstore.sample.operator;

import java.io.FileNotFoundException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.UriComponentsBuilder;

import dev.ttlstore.sample.web.Page;
import dev.ttlstore.spring.encryption.StoreKeysetException;

/**
 * The operator's page, behind the login. Its buttons are forms, which need no script and contain the page's token.
 */
@Page
@RequestMapping("/admin")
@RegisterReflectionForBinding({
    Operations.Figures.class,
    Operations.Groups.class,
    Operations.GroupRow.class,
    Operations.Letters.class,
    Operations.Letter.class
}) // for native images: the template reads them by reflection
class AdminController {

    private static final Logger log = LoggerFactory.getLogger(AdminController.class);

    private static final String BACK = "redirect:/admin";

    private final Operations operations;

    AdminController(Operations operations) {
        this.operations = operations;
    }

    @GetMapping
    String show(@RequestParam(defaultValue = "") String after, Model model) {
        model.addAttribute("title", "Operator");
        model.addAttribute("figures", operations.figures());
        Operations.Groups groups = operations.groups(after);
        model.addAttribute("groups", groups);
        model.addAttribute("more", groups.next() == null ? "" : pageAfter(groups.next()));
        model.addAttribute("first", after.isEmpty());
        model.addAttribute("letters", operations.deadLetters());
        model.addAttribute("rotatesKeys", operations.canRotateKeys());
        return "admin";
    }

    /** Returns the address of the next page. Names of groups may contain any characters, so they are encoded. */
    private static String pageAfter(String group) {
        return UriComponentsBuilder.fromPath("/admin")
                .queryParam("after", "{group}")
                .encode()
                .buildAndExpand(group)
                .toUriString();
    }

    /** Leads someone back who opens the address of a form. */
    @GetMapping({"/purge", "/rotate-keys", "/dead-letters/retry", "/dead-letters/drop"})
    String back() {
        return BACK;
    }

    @PostMapping("/purge")
    String purge(RedirectAttributes told) {
        told.addFlashAttribute("done", "Expired entries removed: " + operations.purge() + ".");
        return BACK;
    }

    @PostMapping("/rotate-keys")
    String rotateKeys(RedirectAttributes told) {
        if (!operations.canRotateKeys()) {
            told.addFlashAttribute("done", "No key was added, because every node needs the same keys.");
            return BACK;
        }
        try {
            operations.rotateKeys();
            told.addFlashAttribute("done", "A key was added. Restart to use the new key.");
        } catch (StoreKeysetException | FileNotFoundException e) {
            log.error("The keys were not rotated: {}", e.getMessage());
            told.addFlashAttribute(
                    "done", "No key was added, because the application cannot change the keyset file. See the log.");
        }
        return BACK;
    }

    @PostMapping("/dead-letters/retry")
    String retry(@RequestParam String subscriber, @RequestParam long id, RedirectAttributes told) {
        told.addFlashAttribute(
                "done", operations.retry(subscriber, id) ? "Retrying now." : "It is no longer in the list.");
        return BACK;
    }

    @PostMapping("/dead-letters/drop")
    String drop(@RequestParam String subscriber, @RequestParam long id, RedirectAttributes told) {
        told.addFlashAttribute("done", operations.drop(subscriber, id) ? "Dropped." : "It is no longer in the list.");
        return BACK;
    }
}
