package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.util.Locale;
import java.util.Map;

/** The answer to a request that failed: a page for people who follow a link, JSON for programs. */
final class ErrorPage {
    private static final Map<Integer, String> TITLES = Map.of(404, "Page not found", 429, "Too many requests");

    private ErrorPage() {}

    static void answer(Context request, int status, String message) {
        request.status(status);
        if (isForPeople(request)) {
            request.contentType("text/html; charset=utf-8").result(page(status, message));
        } else {
            request.contentType("application/json").result(Json.error(message));
        }
    }

    private static boolean isForPeople(Context request) {
        String accepted = request.header("Accept");
        return !request.path().startsWith(AccessControl.API)
                && accepted != null
                && accepted.toLowerCase(Locale.ROOT).contains("text/html");
    }

    private static String page(int status, String message) {
        String title = TITLES.getOrDefault(status, "The request failed");
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                  <meta charset="utf-8">
                  <meta name="viewport" content="width=device-width, initial-scale=1">
                  <meta name="color-scheme" content="light dark">
                  <title>%1$s – pgkq</title>
                  <link rel="icon" href="/icon.svg" type="image/svg+xml">
                  <link rel="stylesheet" href="/style.css">
                </head>
                <body class="login">
                  <header class="bar">
                    <a class="brand" href="/"><img src="/icon.svg" alt="" width="22" height="22">pgkq</a>
                  </header>
                  <main>
                    <section class="panel">
                      <h1>%1$s</h1>
                      <p>%2$s</p>
                      <p><a href="/">All runs</a></p>
                    </section>
                  </main>
                </body>
                </html>
                """.formatted(title, escaped(sentence(message)));
    }

    private static String sentence(String message) {
        return message.isEmpty() ? "" : Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
