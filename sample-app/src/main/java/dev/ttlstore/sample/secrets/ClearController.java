package dev.ttlstore.sample.secrets;

import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.Page;

/** Deletes the unread secrets of a team for the operator, who confirms it on a page of its own. This needs no script. */
@Page
@RequestMapping("/admin/teams/{team}/delete")
class ClearController {

    private final Secrets secrets;

    ClearController(Secrets secrets) {
        this.secrets = secrets;
    }

    @GetMapping
    String ask(@PathVariable String team, Model model) {
        model.addAttribute("title", "Delete secrets");
        model.addAttribute("cleared", Team.check(team));
        model.addAttribute("count", secrets.count(team));
        return "clear";
    }

    @PostMapping
    String clear(@PathVariable String team, RedirectAttributes told) {
        long deleted = secrets.clear(Team.check(team));
        told.addFlashAttribute("done", "Secrets of team " + team + " deleted: " + deleted + ".");
        return "redirect:/admin";
    }
}
