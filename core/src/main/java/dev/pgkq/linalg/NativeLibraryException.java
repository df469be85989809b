package dev.pgkq.linalg;

/** A native library cannot be used here; the message says why. */
final class NativeLibraryException extends Exception {
    private static final long serialVersionUID = 1L;

    NativeLibraryException(String message, Throwable cause) {
        super(message, cause);
    }

    NativeLibraryException(String message) {
        super(message);
    }
}
