package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends well-formed and malformed requests to a dashboard. */
final class DashboardClient {
    private static final JsonMapper JSON = new JsonMapper();

    private final Dashboard dashboard;
    private final HttpClient http = HttpClient.newHttpClient();

    DashboardClient(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    /** @param headers alternating names and values */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return http.send(request(path, headers).build(), HttpResponse.BodyHandlers.ofString());
    }

    JsonNode json(String path, String... headers) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path, headers);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, headers).POST(HttpRequest.BodyPublishers.ofString(body));
        if (!Arrays.asList(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static JsonNode parse(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    static JsonNode parse(String text) {
        return JSON.readTree(text);
    }

    /** The cookie that a response sets, in the form a request sends. */
    static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + dashboard.port() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** Sends a text unchanged, for requests that no HTTP client would send. */
    String raw(String text) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", dashboard.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(text.getBytes(UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    /** Sends a GET for an unchanged path and any host name. */
    String raw(String path, String host) throws IOException {
        return raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }
}
