package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.env.Recorder;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.desk.RewardDesk;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What environments say and show about chosen episodes. Each is played again once: what was recorded of the newest iteration is
 * kept, because the oracle and the dashboard both need it. Threads may share one.
 */
final class EpisodeRecordings implements AutoCloseable {
    /** Pictures of an episode that people rate: ten seconds at twenty a second. */
    private static final int FRAMES_FOR_PEOPLE = 200;

    private final Task task;
    private final Recording.Options options;
    /** Pictures without a setting. */
    private final int usualFrames;

    private final Map<Integer, Recording> recorded = new HashMap<>();
    private int iteration = -1;
    private Optional<Recorder> recorder = Optional.empty();

    private EpisodeRecordings(Task task, Recording.Options options, int usualFrames) {
        this.task = task;
        this.options = options;
        this.usualFrames = usualFrames;
    }

    /** What the settings say; no process is started yet. */
    static EpisodeRecordings of(RunConfig config, Task task) {
        int usual = config.people().isPresent() ? FRAMES_FOR_PEOPLE : 0;
        boolean infos = config.has(Setting.INFOS) && config.flag(Setting.INFOS);
        return new EpisodeRecordings(task, new Recording.Options(infos, config.countOr(Setting.FRAMES, usual)), usual);
    }

    /** Adds recordings to requests, if they leave this process: people have a page for them. */
    void addTo(RewardDesk desk, RunConfig config) {
        if (config.text(Setting.REWARD).startsWith("java:")) {
            return;
        }
        if (config.people().isEmpty() && options.wantsAnything()) {
            desk.recordWith(this::of);
        }
        desk.show(unusual());
    }

    /** What answers may depend on. The usual has no name, so that it need not be recorded. */
    private Map<String, String> unusual() {
        Map<String, String> unusual = new HashMap<>();
        if (options.infos()) {
            unusual.put("--" + Setting.INFOS.key(), "true");
        }
        if (options.frames() != usualFrames) {
            unusual.put("--" + Setting.FRAMES.key(), Integer.toString(options.frames()));
        }
        return unusual;
    }

    /** The recording of an episode, if pictures are wanted; otherwise nothing. */
    Recording ofFrames(Episode episode) {
        return options.frames() > 0 ? of(episode) : Recording.NOTHING;
    }

    /** The recording of an episode; nothing if nothing is wanted, or the task has no recorder. */
    synchronized Recording of(Episode episode) {
        if (!options.wantsAnything() || task.recorder().isEmpty()) {
            return Recording.NOTHING;
        }
        if (episode.iteration() != iteration) {
            iteration = episode.iteration();
            recorded.clear();
        }
        Recording known = recorded.get(episode.index());
        if (known != null) {
            return known;
        }
        if (recorder.isEmpty()) {
            recorder = task.openRecorder();
        }
        Recording recording = recorder.orElseThrow().record(episode.playback(task.spec()), options);
        recorded.put(episode.index(), recording);
        return recording;
    }

    @Override
    public synchronized void close() {
        recorder.ifPresent(Recorder::close);
        recorder = Optional.empty();
    }
}
