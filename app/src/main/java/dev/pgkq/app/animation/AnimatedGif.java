package dev.pgkq.app.animation;

import dev.pgkq.rewards.files.WholeFile;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Writes pictures as an animated GIF that repeats for ever. */
public final class AnimatedGif {
    private static final String FORMAT = "javax_imageio_gif_image_1.0";
    /** Netscape's extension: 1, and how often to repeat, 0 for ever. */
    private static final byte[] FOR_EVER = {1, 0, 0};

    private AnimatedGif() {}

    /**
     * Replaces or creates a file.
     *
     * @param steps the steps that are shown
     * @param picture draws the picture of one of {@code steps}, by its place in the list
     */
    public static void write(Path file, Pacing pacing, List<Integer> steps, IntFunction<BufferedImage> picture) {
        int[] hundredths = pacing.hundredths(steps);
        WholeFile.replace(file, channel -> {
            ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
            try (ImageOutputStream out = ImageIO.createImageOutputStream(Channels.newOutputStream(channel))) {
                writer.setOutput(out);
                writer.prepareWriteSequence(null);
                for (int i = 0; i < steps.size(); i++) {
                    BufferedImage image = picture.apply(i);
                    writer.writeToSequence(
                            new IIOImage(image, null, metadata(writer, image, hundredths[i], i == 0)), null);
                }
                writer.endWriteSequence();
            } finally {
                writer.dispose();
            }
        });
    }

    private static IIOMetadata metadata(ImageWriter writer, BufferedImage image, int hundredths, boolean isFirst)
            throws IOException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(image), null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("transparentColorIndex", "0");
        control.setAttribute("delayTime", Integer.toString(hundredths));
        if (isFirst) {
            child(root, "ApplicationExtensions").appendChild(repetition());
        }
        metadata.setFromTree(FORMAT, root);
        return metadata;
    }

    private static IIOMetadataNode repetition() {
        IIOMetadataNode repetition = new IIOMetadataNode("ApplicationExtension");
        repetition.setAttribute("applicationID", "NETSCAPE");
        repetition.setAttribute("authenticationCode", "2.0");
        repetition.setUserObject(FOR_EVER);
        return repetition;
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode made = new IIOMetadataNode(name);
        root.appendChild(made);
        return made;
    }
}
