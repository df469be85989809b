package dev.pgkq.app.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.env.Recording;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Pictures of the chosen episodes of an iteration, a ZIP file: {@code 3/12.png} shows episode 3 after 12 steps, and the text
 * {@code frames-per-second} says how fast steps pass.
 */
final class FrameFile {
    private static final String SPEED = "frames-per-second";
    private static final int LONGEST_SPEED = 40;
    private static final Pattern PICTURE = Pattern.compile("(\\d{1,6})/(\\d{1,9})\\.png");
    /** More pictures of one episode are not read: they would not fit into a response. */
    private static final int MOST_BYTES = 64 << 20;

    private FrameFile() {}

    static void write(Path file, Map<Integer, Recording> episodes) {
        WholeFile.replaceSoon(file, channel -> {
            ZipOutputStream zip = new ZipOutputStream(Channels.newOutputStream(channel), UTF_8);
            zip.setLevel(Deflater.NO_COMPRESSION); // the pictures are compressed
            zip.putNextEntry(new ZipEntry(SPEED));
            double speed = episodes.values().iterator().next().framesPerSecond();
            zip.write(Double.toString(speed).getBytes(UTF_8));
            zip.closeEntry();
            for (Map.Entry<Integer, Recording> episode : episodes.entrySet()) {
                for (Recording.Frame frame : episode.getValue().frames()) {
                    zip.putNextEntry(new ZipEntry(episode.getKey() + "/" + frame.step() + ".png"));
                    zip.write(frame.png());
                    zip.closeEntry();
                }
            }
            zip.finish();
        });
    }

    static boolean has(Path file, int index) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (ZipFile zip = new ZipFile(file.toFile(), UTF_8)) {
            return zip.stream().anyMatch(entry -> entry.getName().startsWith(index + "/"));
        } catch (IOException e) {
            return Files.exists(file); // if damaged, reading says so; it may have been deleted in the meantime
        }
    }

    /** The pictures of an episode; empty if there are none. */
    static Optional<Recording> read(Path file, int index) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (ZipFile zip = new ZipFile(file.toFile(), UTF_8)) {
            List<Recording.Frame> frames = new ArrayList<>();
            int left = MOST_BYTES;
            for (ZipEntry entry : zip.stream().toList()) {
                Matcher name = PICTURE.matcher(entry.getName());
                if (name.matches() && Integer.parseInt(name.group(1)) == index) {
                    byte[] png = contents(zip, entry, left + 1);
                    if (png.length <= left) {
                        left -= png.length;
                        frames.add(new Recording.Frame(Integer.parseInt(name.group(2)), png));
                    }
                }
            }
            frames.sort(Comparator.comparingInt(Recording.Frame::step));
            return frames.isEmpty() ? Optional.empty() : Optional.of(new Recording(List.of(), frames, speed(zip)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    private static double speed(ZipFile zip) throws IOException {
        ZipEntry entry = zip.getEntry(SPEED);
        try {
            double speed =
                    entry == null ? 0 : Double.parseDouble(new String(contents(zip, entry, LONGEST_SPEED), UTF_8));
            return speed > 0 && speed < Double.POSITIVE_INFINITY ? speed : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static byte[] contents(ZipFile zip, ZipEntry entry, int most) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readNBytes(most);
        }
    }
}
