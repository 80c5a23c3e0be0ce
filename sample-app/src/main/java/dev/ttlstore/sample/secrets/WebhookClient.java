package dev.ttlstore.sample.secrets;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Locale;

import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

import dev.ttlstore.sample.web.SecretsProperties;

/** Posts notices to {@code secrets.webhook.url}. Its errors do not quote that address, which may contain a token. */
@Component
class WebhookClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private final String url;
    private final RestClient http;

    WebhookClient(SecretsProperties properties) {
        this.url = properties.webhook().url();
        if (isOn() && !isSafe(url)) {
            throw new IllegalStateException("'secrets.webhook.url' must be an https address; http is only for this"
                    + " machine, such as http://127.0.0.1:9000/notices");
        }
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()); // it follows no redirects
        requests.setReadTimeout(READ_TIMEOUT);
        this.http = RestClient.builder().requestFactory(requests).build();
    }

    boolean isOn() {
        return !url.isEmpty();
    }

    /**
     * Posts a notice.
     *
     * @param id the same each time that the same notice is sent
     * @param signature the signature of the body, or empty
     * @throws IllegalStateException if the other side did not accept it
     */
    void post(String id, byte[] body, String signature) {
        int status;
        try {
            status = http.post()
                    .uri(URI.create(url))
                    .contentType(MediaType.APPLICATION_JSON)
                    .headers(headers -> {
                        headers.set("X-Notice-Id", id);
                        if (!signature.isEmpty()) {
                            headers.set("X-Notice-Signature", signature);
                        }
                    })
                    .body(body)
                    .exchange((request, response) -> response.getStatusCode().value());
        } catch (ResourceAccessException e) {
            // Omits the cause, which may quote the address.
            throw new IllegalStateException("The webhook cannot be reached");
        }
        if (status < 200 || status > 299) {
            throw new IllegalStateException("The webhook has answered with status " + status);
        }
    }

    private static boolean isSafe(String url) {
        try {
            URI uri = URI.create(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            return uri.getHost() != null
                    && (scheme.equals("https")
                            || (scheme.equals("http")
                                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress()));
        } catch (IllegalArgumentException | UnknownHostException e) {
            return false;
        }
    }
}
