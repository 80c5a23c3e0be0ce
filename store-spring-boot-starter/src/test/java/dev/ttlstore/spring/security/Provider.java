package dev.ttlstore.spring.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** An OpenID provider at which ann is logged in. Its code is the nonce of the login, so that it need not remember any. */
@SuppressWarnings("JavaUtilDate") // that is what the library of tokens has
final class Provider implements AutoCloseable {

    private static final String CLIENT = "client";
    private static final Pattern CODE = Pattern.compile("(?:^|&)code=([^&]+)");
    private static final RSAKey KEY = generateKey();

    private final HttpServer server;
    private final String issuer;
    private volatile String sid = "none";

    Provider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + server.getAddress().getPort();
        server.createContext("/keys", exchange -> answer(exchange, new JWKSet(KEY).toString()));
        server.createContext("/token", exchange -> answer(exchange, tokens(read(exchange))));
        server.start();
    }

    private static RSAKey generateKey() {
        try {
            return new RSAKeyGenerator(2048).keyID("key").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String read(HttpExchange exchange) {
        try {
            return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String tokens(String form) {
        Matcher code = CODE.matcher(form);
        if (!code.find()) {
            throw new IllegalStateException("no code");
        }
        String idToken = signed(
                "JWT",
                claims().subject("ann")
                        .claim("sid", sid)
                        .claim("nonce", URLDecoder.decode(code.group(1), StandardCharsets.UTF_8)));
        return "{\"access_token\":\"access\",\"token_type\":\"Bearer\",\"expires_in\":300,\"id_token\":\"" + idToken
                + "\"}";
    }

    private JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(CLIENT)
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(300)));
    }

    private static String signed(String type, JWTClaimsSet.Builder claims) {
        try {
            JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                    .type(new JOSEObjectType(type))
                    .keyID(KEY.getKeyID())
                    .build();
            SignedJWT token = new SignedJWT(header, claims.build());
            token.sign(new RSASSASigner(KEY));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    ClientRegistration registration() {
        return ClientRegistration.withRegistrationId("login")
                .clientId(CLIENT)
                .clientSecret("secret")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
                .scope("openid")
                .issuerUri(issuer)
                .authorizationUri(issuer + "/authorize")
                .tokenUri(issuer + "/token")
                .jwkSetUri(issuer + "/keys")
                .userNameAttributeName("sub")
                .build();
    }

    /** The session that the next login has here. */
    void nextSession(String id) {
        sid = id;
    }

    /** Logs a session out at an instance of the application, as a provider does when its user logs out here. */
    int logOut(int port, String session) throws IOException, InterruptedException {
        String token = signed(
                "logout+jwt",
                claims().jwtID(UUID.randomUUID().toString())
                        .claim("sid", session)
                        .claim("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of())));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/logout/connect/back-channel/login"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("logout_token=" + token))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
