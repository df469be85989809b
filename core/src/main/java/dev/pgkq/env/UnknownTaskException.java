package dev.pgkq.env;

import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.util.List;

/** There is no task of the requested name. The message suggests the nearest names. */
public final class UnknownTaskException extends UserException {
    private static final long serialVersionUID = 1L;

    /** The name that was requested. */
    private final String id;

    UnknownTaskException(String id, List<String> known) {
        super("unknown task '" + id + "'" + NearestNames.hint(id, known));
        this.id = id;
    }

    /** {@return the name that was requested} */
    public String id() {
        return id;
    }
}
