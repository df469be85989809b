package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.oracle.BoundedBody.Body;
import dev.pgkq.rewards.oracle.EvaluationException.Call;
import dev.pgkq.rewards.oracle.EvaluatorSettings.Limits;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Posts requests to a service. The bearer token comes from an environment variable and is sent only to the given address:
 * redirects are reported, not followed.
 */
final class HttpEvaluator implements Evaluator {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TIMED_OUT = 408;
    /** By this a service says that it cannot evaluate this episode. */
    private static final int CANNOT_PROCESS = 422;

    private static final int TOO_MANY = 429;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMED_OUT = 504;

    private final ServiceAddress address;
    private final EvaluatorSettings settings;
    private final Optional<String> token;
    private final Clock clock;
    private final HttpClient client;

    /**
     * @throws UserException if the address or the token cannot be used
     */
    HttpEvaluator(String address, EvaluatorSettings settings, Clock clock) {
        this.address = ServiceAddress.parse(address);
        this.settings = settings;
        this.token = token(settings);
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1) // every service supports it; offering more confuses some
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.limits().connectTimeout())
                .build();
    }

    private static Optional<String> token(EvaluatorSettings settings) {
        String value = settings.environment()
                .getOrDefault(settings.tokenVariable(), "")
                .strip();
        if (!value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new UserException(
                    "the token in the variable " + settings.tokenVariable()
                            + " has characters that are not allowed in a header; it must be one word of printable ASCII characters");
        }
        return Optional.of(value).filter(text -> !text.isEmpty());
    }

    @Override
    public String identity() {
        return address.identity();
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        HttpRequest.Builder post = HttpRequest.newBuilder(address.uri())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("Idempotency-Key", request.idempotencyKey())
                .POST(BodyPublishers.ofByteArray(RequestJson.write(settings.run(), request)));
        token.ifPresent(value -> post.header("Authorization", "Bearer " + value));
        HttpResponse<Body> response = send(post.build());
        int status = response.statusCode();
        if (status / 100 != 2) {
            throw refused(response)
                    .with(call(status))
                    .withCost(ErrorAnswer.cost(response.body().bytes()));
        }
        if (response.body().cut()) {
            throw failed("gave an invalid answer: "
                            + AnswerReader.tooLong(settings.limits().bytes()).getMessage())
                    .againstContract();
        }
        try {
            Reply reply =
                    AnswerReader.read(response.body().bytes(), request.episode().length());
            return new Reply(
                    reply.grain(), reply.values(), reply.cost(), reply.note().map(this::hidden));
        } catch (EvaluationException e) {
            String what = e.isAgainstContract() ? " gave an invalid answer: " : " ";
            throw e.withMessage(identity() + what + hidden(explained(response.body(), request, e)));
        }
    }

    /** Says what is wrong with an answer. It quotes the start of the answer, which might end within a secret. */
    private String explained(Body answer, Request request, EvaluationException failure) {
        try {
            byte[] masked = hidden(new String(answer.bytes(), UTF_8)).getBytes(UTF_8);
            AnswerReader.read(masked, request.episode().length());
            return failure.getMessage();
        } catch (EvaluationException e) {
            return e.getMessage();
        }
    }

    /** Limits the time of the whole exchange; the timeout of an HttpRequest ends with the headers. */
    private HttpResponse<Body> send(HttpRequest post) throws EvaluationException, InterruptedException {
        Limits limits = settings.limits();
        CompletableFuture<HttpResponse<Body>> exchange =
                client.sendAsync(post, head -> new BoundedBody(limits.bytes()));
        try {
            return exchange.get(TimeUnit.NANOSECONDS.convert(limits.timeout()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw failed("did not answer within " + Durations.format(limits.timeout()))
                    .with(Call.IN_DOUBT);
        } catch (ExecutionException e) {
            throw broken(e.getCause());
        } finally {
            exchange.cancel(true);
        }
    }

    /** Redirects and refusals of tokens and of too many calls come before any work; gateways do not know what became of it. */
    private static Call call(int status) {
        return switch (status) {
            case UNAUTHORIZED, FORBIDDEN, TOO_MANY -> Call.NOT_MADE;
            case BAD_GATEWAY, GATEWAY_TIMED_OUT -> Call.IN_DOUBT;
            default -> status / 100 == 3 ? Call.NOT_MADE : Call.FAILED;
        };
    }

    private EvaluationException refused(HttpResponse<Body> response) {
        int status = response.statusCode();
        String said = Excerpt.first(hidden(new String(response.body().bytes(), UTF_8)));
        String what = "answered with status " + status + (said.isEmpty() ? "" : ": " + said);
        if (status / 100 == 3) {
            String place = response.headers().firstValue("Location").orElse("an unspecified address");
            return permanent("answered with status " + status + ", a redirect to " + Excerpt.first(hidden(place))
                            + ". Redirects are not followed, so that no other server gets the token; if that is the service, specify"
                            + " its address")
                    .againstContract();
        }
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            return permanent(what + "; the token is read from the variable " + settings.tokenVariable() + ", which is "
                            + (token.isPresent() ? "set" : "not set"))
                    .againstContract();
        }
        if (status / 100 == 5 || status == TOO_MANY || status == TIMED_OUT) {
            Optional<Duration> wait = response.headers()
                    .firstValue("Retry-After")
                    .flatMap(value -> RetryAfter.parse(value, clock.instant()));
            return wait.map(duration -> EvaluationException.temporary(identity() + " " + what, duration))
                    .orElseGet(() -> failed(what));
        }
        return status == CANNOT_PROCESS ? permanent(what) : permanent(what).againstContract();
    }

    private EvaluationException broken(@Nullable Throwable failure) {
        boolean isConnected = Stream.of(
                        CertificateException.class,
                        UnresolvedAddressException.class,
                        HttpConnectTimeoutException.class,
                        ConnectException.class)
                .noneMatch(type -> caused(failure, type));
        return described(failure).with(isConnected ? Call.IN_DOUBT : Call.NOT_MADE);
    }

    private EvaluationException described(@Nullable Throwable failure) {
        if (caused(failure, CertificateException.class)) {
            return permanent("has a certificate that is not trusted: " + reason(failure)
                    + "; if it is self-signed, add it to a trust store and pass -Djavax.net.ssl.trustStore=FILE to Java"
                    + " (in PGKQ_JAVA_OPTS for the launcher)");
        }
        if (caused(failure, UnresolvedAddressException.class)) {
            return failed("cannot be reached: unknown host " + address.uri().getHost());
        }
        if (caused(failure, HttpConnectTimeoutException.class)) {
            return failed("cannot be reached: no connection within "
                    + Durations.format(settings.limits().connectTimeout()));
        }
        if (caused(failure, ConnectException.class)) {
            return failed("cannot be reached: connection refused; is the service running?");
        }
        return failed("broke the connection: " + reason(failure));
    }

    private static boolean caused(@Nullable Throwable failure, Class<? extends Throwable> by) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (by.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private String reason(@Nullable Throwable failure) {
        String message = failure == null ? null : failure.getMessage();
        return message == null ? String.valueOf(failure) : Excerpt.first(hidden(message));
    }

    private EvaluationException failed(String what) {
        return EvaluationException.temporary(identity() + " " + what);
    }

    private EvaluationException permanent(String what) {
        return EvaluationException.permanent(identity() + " " + what);
    }

    /** Masks the token and the secrets of the address: a service may repeat what it was sent. */
    private String hidden(String text) {
        return address.masked(token.map(value -> text.replace(value, "•••")).orElse(text));
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
