package dev.pgkq.rewards.oracle;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Receives the body of a response up to a limit. If there is more, it closes the connection. */
final class BoundedBody implements BodySubscriber<BoundedBody.Body> {
    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Body> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    /**
     * The received body.
     *
     * @param bytes the whole body, or its beginning
     * @param cut whether there was more
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Body(byte[] bytes, boolean cut) {}

    BoundedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Body> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (body.isDone()) {
                return;
            }
            byte[] part = new byte[Math.min(buffer.remaining(), limit - bytes.size())];
            boolean cut = part.length < buffer.remaining();
            buffer.get(part);
            bytes.writeBytes(part);
            if (cut) {
                if (subscription != null) {
                    subscription.cancel();
                }
                body.complete(new Body(bytes.toByteArray(), true));
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(new Body(bytes.toByteArray(), false));
    }
}
