package dev.ttlstore.sample.secrets;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;
import dev.ttlstore.sample.team.Activity;

import static org.assertj.core.api.Assertions.assertThat;

/** A typing error makes up no team, and a team that was made up by mistake is soon forgotten. */
@SampleTest
class NewTeamTests {

    private static final Map<String, String> ACMEE = Map.of("team", "acmee", "value", "hunter2", "ttl", "PT1H");
    private static final Map<String, String> MEANT =
            Map.of("team", "acmee", "value", "hunter2", "ttl", "PT1H", "newTeam", "true");
    private static final String ADDRESS = "192.0.2.1";

    @Autowired
    private Store store;

    @Autowired
    private Activity activity;

    private final SampleClient client;
    private final Visitor visitor;

    NewTeamTests(SampleClient client, Visitor visitor) {
        this.client = client;
        this.visitor = visitor;
    }

    private Answer delete(String id) {
        return visitor.post("/page/delete", Map.of("team", "acmee", "id", id));
    }

    private String createdId() {
        assertThat(visitor.submit("/page/secrets", MEANT).status()).isEqualTo(200);
        return visitor.post("/page/sent", Map.of("team", "acmee"))
                .body()
                .at("/secrets/0/id")
                .asString();
    }

    @Test
    void aTeamThatIsNotKnownIsCreatedOnlyIfTheSenderMeansIt() {
        for (Answer refused : List.of(
                visitor.post("/page/secrets", ACMEE),
                client.keep("acmee", "hunter2", "PT1H"),
                client.keep("acmee", "hunter2", "PT1H", SampleTest.ADMIN, SampleTest.PASSWORD))) {
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body().get("detail").asString()).contains("There is no team acmee yet");
            assertThat(refused.body().get("confirmWith").asString()).isEqualTo("newTeam");
        }
        assertThat(store.groups("acmee:")).isEmpty();
        assertThat(visitor.submit("/page/secrets", MEANT).status()).isEqualTo(200);
        assertThat(visitor.post("/page/secrets", ACMEE).status()).isEqualTo(201);
        assertThat(client.keepNew(ADDRESS, "globexx").status()).isEqualTo(201);
        assertThat(client.keep("globexx", "hunter2", "PT1H").status()).isEqualTo(201);
    }

    @Test
    void aTeamWhoseSecretsWereDeletedUnreadIsForgotten() {
        String id = createdId();
        String other = client.kept("acmee", "hunter2", "PT1H");
        assertThat(delete(id).status()).isEqualTo(204);
        assertThat(activity.last("acmee")).isNotEmpty(); // there is another secret
        client.reveal(other);
        String next = createdId();
        assertThat(delete(next).status()).isEqualTo(204);
        assertThat(activity.last("acmee")).isNotEmpty(); // a secret was read, and anyone could delete another
        store.deletePrefix("activity/acmee");
        assertThat(delete(createdId()).status()).isEqualTo(204);
        assertThat(activity.last("acmee")).isEmpty();
        assertThat(client.keep("acmee", "hunter2", "PT1H").status()).isEqualTo(409);
    }

    @Test
    void aTeamThatTheOperatorHasClearedIsForgotten() {
        client.reveal(client.keepNew(ADDRESS, "acmee").header("Location"));
        client.kept("acmee", "hunter2", "PT1H");
        visitor.logIn(SampleTest.PASSWORD);
        visitor.load("/admin/teams/acmee/delete");
        assertThat(visitor.submit("/admin/teams/acmee/delete", Map.of()).status())
                .isEqualTo(302);
        assertThat(activity.last("acmee")).isEmpty();
        assertThat(client.keep("acmee", "hunter2", "PT1H").status()).isEqualTo(409);
    }
}
