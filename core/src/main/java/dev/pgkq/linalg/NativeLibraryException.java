package dev.pgkq.linalg;

/** Thrown when a native library cannot be used on this machine; the message says why. */
final class NativeLibraryException extends Exception {
    private static final long serialVersionUID = 1L;

    NativeLibraryException(String message, Throwable cause) {
        super(message, cause);
    }

    NativeLibraryException(String message) {
        super(message);
    }
}
