package dev.pgkq.app.web;

/** A request that is not answered as asked: the status, and what is wrong and what to do, for people. */
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

    /** Too much at once: it may be tried again then. */
    static HttpError later(int status, String message, int seconds) {
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

    /** After how many seconds trying again makes sense; 0 if never. */
    int retrySeconds() {
        return retrySeconds;
    }

    /** For people; there always is one. */
    public String message() {
        return String.valueOf(getMessage());
    }
}
