package dev.pgkq.mujoco;

import dev.pgkq.text.UserException;

/** MuJoCo cannot be used: the library is missing, has an unsupported version, or cannot read a model file. */
public final class MujocoException extends UserException {
    private static final long serialVersionUID = 1L;

    MujocoException(String message) {
        super(message);
    }

    MujocoException(String message, Throwable cause) {
        super(message, cause);
    }
}
