package dev.pgkq.app.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to an adviser. */
public final class AdviserClient {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    /** @param address with a slash at the end */
    public AdviserClient(String address) {
        this.address = address;
    }

    /** An answer whose body is text. */
    public record Answer(int status, String text) {
        /** The body as JSON. */
        public JsonNode json() {
            return JSON.readTree(text);
        }

        /** The message of an error. */
        public String error() {
            return json().path("error").asString("");
        }
    }

    /** @param headers alternating names and values */
    public Answer get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).GET());
    }

    /** Posts JSON, unless the headers say otherwise. */
    public Answer post(String path, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, headers).POST(BodyPublishers.ofString(body));
        if (!Arrays.asList(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        return send(request);
    }

    Answer postBytes(String path, byte[] body, String type) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofByteArray(body)));
    }

    HttpResponse<byte[]> getBytes(String path, String... headers) throws IOException, InterruptedException {
        return http.send(request(path, headers).GET().build(), BodyHandlers.ofByteArray());
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "api/advise/" + path))
                .timeout(TIMEOUT);
        return headers.length == 0 ? request : request.headers(headers);
    }
}
