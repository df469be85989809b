package dev.pgkq.gym;

/** A worker process ended by itself. Its environments can be made again by another one. */
final class WorkerDiedException extends Exception {
    private static final long serialVersionUID = 1L;

    WorkerDiedException(String message) {
        super(message);
    }
}
