package dev.pgkq.app.web;

/** A failed request: the HTTP status, and a message that says what is wrong and what to do. */
public final class HttpError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int retrySeconds;

    public HttpError(int status, String message) {
        this(status, message, 0);
    }

    private HttpError(int status, String message, int retrySeconds) {
        super(message);
        this.status = status;
        this.retrySeconds = retrySeconds;
    }

    /** An error that is worth a retry after some time. */
    static HttpError retryLater(int status, String message, int seconds) {
        return new HttpError(status, message, seconds);
    }

    public static HttpError badRequest(String message) {
        return new HttpError(400, message);
    }

    public static HttpError notFound(String message) {
        return new HttpError(404, message);
    }

    public int status() {
        return status;
    }

    /** Seconds after which to retry; 0 if a retry makes no sense. */
    int retrySeconds() {
        return retrySeconds;
    }

    /** The message for the user; never null. */
    public String message() {
        return String.valueOf(getMessage());
    }
}
