package dev.ttlstore.sample.team;

import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.ui.Model;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.ttlstore.Entry;
import dev.ttlstore.Scope;
import dev.ttlstore.sample.web.Clients;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** The page of a team. It shows that secrets come and go, but not which. */
@Page
@RegisterReflectionForBinding({ // for native images: the templates read them by reflection
    TeamUsage.class,
    Forecast.class,
    Forecast.Bar.class,
    Forecast.Choice.class,
    LiveStream.Told.class
})
@RequestMapping("/teams/{team}")
class TeamController {

    private static final int SHOWN = 50;

    private final Teams teams;
    private final Activity activity;
    private final LiveActivity live;
    private final Clients clients;
    private final Now now;

    TeamController(Teams teams, Activity activity, LiveActivity live, Clients clients, Now now) {
        this.teams = teams;
        this.activity = activity;
        this.live = live;
        this.clients = clients;
        this.now = now;
    }

    @GetMapping
    String team(@PathVariable String team, @RequestParam(required = false) @Nullable String range, Model model) {
        overview(team, range, model);
        model.addAttribute("now", now.get());
        model.addAttribute("range", Forecast.Range.of(range).id());
        List<Entry<Activity.Happening>> all = activity.after(team, 0);
        model.addAttribute("title", "Team " + team);
        model.addAttribute("quiet", all.isEmpty());
        model.addAttribute("last", all.isEmpty() ? 0 : all.get(all.size() - 1).version());
        model.addAttribute(
                "happenings",
                IntStream.rangeClosed(1, Math.min(SHOWN, all.size()))
                        .mapToObj(
                                i -> LiveStream.Told.of(all.get(all.size() - i).value()))
                        .toList());
        return "team";
    }

    /** Renders the part of the page that changes with events and with time. */
    @GetMapping("/overview")
    String overview(@PathVariable String team, @RequestParam(required = false) @Nullable String range, Model model) {
        Forecast.Range shown = Forecast.Range.of(range);
        Scope scope = teams.scope(Team.check(team));
        model.addAttribute("team", team);
        model.addAttribute("usage", TeamUsage.of(scope.usage(), teams.quota(team)));
        model.addAttribute("ranges", shown.choices());
        model.addAttribute("forecast", Forecast.of(scope, now.get(), shown));
        return "parts/overview";
    }

    /**
     * Streams events. A browser that reconnects sends its position in the header. A new page sends it in the
     * parameter.
     */
    @GetMapping("/events")
    void events(
            @PathVariable String team,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            @RequestParam(required = false) @Nullable String after,
            HttpServletRequest request,
            HttpServletResponse response)
            throws HttpRequestMethodNotSupportedException {
        String checkedTeam = Team.check(team);
        if (request.getMethod()
                .equals("HEAD")) { // Spring treats it as a GET, and would not notice that the client has disconnected
            throw new HttpRequestMethodNotSupportedException("HEAD", List.of("GET"));
        }
        String client = clients.at(request.getRemoteAddr());
        live.tell(checkedTeam, place(lastEventId != null ? lastEventId : after), client, response);
    }

    /**
     * Parses a position. Anything else is the start: the client then gets more events than needed, but misses none.
     */
    private static long place(@Nullable String id) {
        return id != null && id.matches("[0-9]{1,18}") ? Long.parseLong(id) : 0;
    }
}
