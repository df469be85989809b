package dev.pgkq.app.animation;

import dev.pgkq.env.Figure;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;

/** Draws a figure from the side, at one scale for a whole episode, as the dashboard does. */
public final class SideView {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 320;
    private static final double MARGIN = 0.14;
    /** The least that is seen to either side: of a picture that stands still, and of one that follows a body. */
    private static final double STANDING = 1.3;

    private static final double FOLLOWING = 0.8;
    private static final Color INK = new Color(0x222222);
    private static final Color LINE = new Color(0x888888);
    private static final Color GROUND = new Color(0xE6E6E6);
    private static final Color TILE = new Color(0xD2D2D2);
    /** Of the Okabe-Ito palette, which is safe for colour-blind readers. */
    private static final List<Color> LIMBS =
            List.of(new Color(0x56B4E9), new Color(0xE69F00), new Color(0x009E73), new Color(0xCC79A7));

    private final Figure figure;
    private final double[][] ends;
    private final double left;
    private final double bottom;
    private final double scale;

    /** @param states of an episode, one for each picture */
    public SideView(Figure figure, List<double[]> states) {
        this.figure = figure;
        this.ends = states.stream().map(figure::ends).toArray(double[][]::new);
        double half = figure.follow() == Figure.WORLD ? STANDING : FOLLOWING;
        double right = half;
        double top = Double.NEGATIVE_INFINITY;
        double low = figure.ground().orElse(Double.POSITIVE_INFINITY);
        double leftmost = -half;
        for (double[] each : ends) {
            double origin = origin(each);
            for (int i = 0; i < figure.capsules().size(); i++) {
                double radius = figure.capsules().get(i).radius();
                leftmost = Math.min(leftmost, Math.min(each[4 * i], each[4 * i + 2]) - radius - origin);
                right = Math.max(right, Math.max(each[4 * i], each[4 * i + 2]) + radius - origin);
                low = Math.min(low, Math.min(each[4 * i + 1], each[4 * i + 3]) - radius);
                top = Math.max(top, Math.max(each[4 * i + 1], each[4 * i + 3]) + radius);
            }
        }
        this.bottom = low - MARGIN;
        this.scale = Math.min(WIDTH / (right - leftmost), HEIGHT / (top + MARGIN - bottom));
        this.left = (leftmost + right) / 2 - WIDTH / scale / 2;
    }

    /** Where the picture follows a body, x of the first shape on it. */
    private double origin(double[] each) {
        for (int i = 0; i < figure.capsules().size(); i++) {
            if (figure.follow() != Figure.WORLD && figure.capsules().get(i).body() == figure.follow()) {
                return (each[4 * i] + each[4 * i + 2]) / 2;
            }
        }
        return 0;
    }

    /** The picture of one of the states. */
    public BufferedImage picture(int place) {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = image.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        pen.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        pen.setColor(Color.WHITE);
        pen.fillRect(0, 0, WIDTH, HEIGHT);
        double[] each = ends[place];
        double from = left + origin(each);
        drawGround(pen, from);
        for (int i = 0; i < figure.capsules().size(); i++) {
            Figure.Capsule capsule = figure.capsules().get(i);
            Line2D line = new Line2D.Double(
                    (each[4 * i] - from) * scale,
                    y(each[4 * i + 1]),
                    (each[4 * i + 2] - from) * scale + 0.01,
                    y(each[4 * i + 3]));
            double thick = Math.max(2, 2 * capsule.radius() * scale);
            draw(pen, line, thick, INK);
            draw(pen, line, Math.max(1, thick - 2.4), LIMBS.get(limb(capsule.body()) % LIMBS.size()));
        }
        pen.dispose();
        return image;
    }

    /** Tiles of a metre show how far a figure moves. */
    private void drawGround(Graphics2D pen, double from) {
        double level = y(figure.ground().orElse(0));
        if (figure.ground().isPresent()) {
            for (int metre = (int) Math.floor(from); metre <= from + WIDTH / scale; metre++) {
                pen.setColor(metre % 2 == 0 ? GROUND : TILE);
                pen.fill(new Rectangle2D.Double((metre - from) * scale, level, scale + 1, HEIGHT - level));
            }
        }
        pen.setColor(LINE);
        pen.setStroke(new BasicStroke(1.5f));
        pen.draw(new Line2D.Double(0, level, WIDTH, level));
    }

    private static void draw(Graphics2D pen, Line2D line, double thick, Color colour) {
        pen.setColor(colour);
        pen.setStroke(new BasicStroke((float) thick, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        pen.draw(line);
    }

    private double y(double height) {
        return HEIGHT - (height - bottom) * scale;
    }

    /** 0 for bodies without a parent, and one number for each subtree below such a body. */
    private int limb(int body) {
        int[] limbs = new int[figure.bodies().size()];
        int count = 0;
        for (int b = 0; b < limbs.length; b++) {
            int parent = figure.bodies().get(b).parent();
            limbs[b] = parent == Figure.WORLD ? 0 : limbs[parent] > 0 ? limbs[parent] : ++count;
        }
        return body == Figure.WORLD ? 0 : limbs[body];
    }
}
