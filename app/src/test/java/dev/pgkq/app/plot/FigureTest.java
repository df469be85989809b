package dev.pgkq.app.plot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.train.Variant;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.IntervalXYDataset;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Checks charts and the files written: series, bands, axes, labels, colours. */
class FigureTest {
    private static final double NAN = Double.NaN;

    private static Figure.Line line(String label, Variant variant, int seeds, double end) {
        double[] x = {end / 4, end / 2, end};
        double[] error = new double[3];
        Arrays.fill(error, seeds == 1 ? NAN : 5);
        return new Figure.Line(label, VariantStyles.of(variant), x, new double[] {10, 30, 50}, error, seeds);
    }

    private static Figure figure(String name, String xLabel, Figure.Line... lines) {
        return new Figure(name, "Hopper-v4, PPO", xLabel, "mean return", OptionalDouble.empty(), List.of(lines));
    }

    private static Figure twoLines() {
        return figure("two", "iteration", line("large", Variant.LARGE, 3, 40), line("kq", Variant.KQ, 3, 40));
    }

    private static XYPlot plot(Figure figure) {
        return FigureChart.of(figure).getXYPlot();
    }

    @Test
    void everyLineIsASeriesWithItsBandColourAndLabel() {
        XYPlot plot = plot(twoLines());
        assertThat(plot.getDatasetCount()).isEqualTo(2);
        IntervalXYDataset large = (IntervalXYDataset) plot.getDataset(0);
        assertThat(large.getItemCount(0)).isEqualTo(3);
        assertThat(large.getXValue(0, 2)).isEqualTo(40);
        assertThat(large.getYValue(0, 1)).isEqualTo(30);
        assertThat(large.getStartYValue(0, 1)).isEqualTo(25);
        assertThat(large.getEndYValue(0, 1)).isEqualTo(35);
        assertThat(plot.getRenderer(0).getItemPaint(0, 0)).isEqualTo(new Color(0xB2182B));
        assertThat(plot.getRenderer(1).getItemPaint(0, 0)).isEqualTo(new Color(0xE69F00));
        assertThat(((DeviationRenderer) plot.getRenderer(0)).getAlpha()).isPositive();
        assertThat(plot.getDomainAxis().getLabel()).isEqualTo("iteration");
        assertThat(plot.getRangeAxis().getLabel()).isEqualTo("mean return");
        assertThat(plot.getRangeAxis().getRange().contains(5)).isTrue();
        assertThat(plot.getRangeAxis().getRange().contains(55)).isTrue();
        assertThat(labels(FigureChart.of(twoLines()))).containsExactly("large", "kq");
    }

    @Test
    void aSingleSeedHasNoBandAndTheLegendSaysSo() {
        Figure figure = figure("f", "iteration", line("large", Variant.LARGE, 3, 40), line("kq", Variant.KQ, 1, 40));
        assertThat(labels(FigureChart.of(figure))).containsExactly("large (3 seeds)", "kq (1 seed)");
        assertThat(((DeviationRenderer) plot(figure).getRenderer(1)).getAlpha()).isZero();
        assertThat(bands(figure)).isEqualTo(1);
        assertThat(bands(twoLines())).isEqualTo(2);
    }

    /** Lines that end far apart get a logarithmic axis, except on the axis of iterations. */
    @Test
    void theAxisIsLogarithmicIfLinesEndFarApart() {
        Figure paid = figure(
                "f", "reward evaluations", line("large", Variant.LARGE, 3, 6400), line("kq", Variant.KQ, 3, 800));
        assertThat(plot(paid).getDomainAxis()).isInstanceOf(LogAxis.class);
        assertThat(plot(paid).getDomainAxis().getLabel()).isEqualTo("reward evaluations, logarithmic");
        assertThat(plot(paid).getDomainAxis().getRange().contains(200)).isTrue();
        assertThat(plot(twoLines()).getDomainAxis()).isInstanceOf(NumberAxis.class);
    }

    @Test
    void tickLabelsAreCompact() throws Exception {
        Figure even = figure("f", "environment steps", line("kq", Variant.KQ, 3, 5_000_000));
        assertThat(texts(parse(Svg.of(Drawing.of(even))))).contains("2M", "5M").doesNotContain("5,000,000");
        Figure far = figure(
                "f", "environment steps", line("kq", Variant.KQ, 3, 5_000_000), line("small", Variant.SMALL, 3, 500));
        assertThat(texts(parse(Svg.of(Drawing.of(far))))).contains("1K", "100K", "1M");
        Figure near = figure(
                "f", "environment steps", line("kq", Variant.KQ, 3, 5_000), line("small", Variant.SMALL, 3, 400));
        assertThat(texts(parse(Svg.of(Drawing.of(near))))).contains("100", "200", "500", "1K", "2K");
    }

    @Test
    void aRatioIsShownFromZeroToItsReference() {
        Figure.Line line = new Figure.Line(
                "kq",
                VariantStyles.of(Variant.KQ),
                new double[] {1, 2},
                new double[] {0.4, 0.5},
                new double[] {0, 0},
                2);
        Figure ratio = new Figure("r", "t", "iteration", "ratio", OptionalDouble.of(1), List.of(line));
        assertThat(plot(ratio).getRangeAxis().getRange().contains(0)).isTrue();
        assertThat(plot(ratio).getRangeAxis().getRange().contains(1)).isTrue();
        assertThat(plot(ratio).getRangeMarkers(Layer.FOREGROUND)).hasSize(1);
    }

    private static Stream<Arguments> pairsOfVariants() {
        return Arrays.stream(Variant.values())
                .flatMap(one -> Arrays.stream(Variant.values())
                        .filter(other -> other.ordinal() > one.ordinal())
                        .map(other -> Arguments.of(one, other)));
    }

    @ParameterizedTest
    @MethodSource("pairsOfVariants")
    void variantsCanBeDistinguishedWithoutColour(Variant one, Variant other) {
        LineStyle style = VariantStyles.of(one);
        LineStyle theirs = VariantStyles.of(other);
        boolean dashesDiffer = !Arrays.equals(style.dashes(), theirs.dashes());
        double lightness = Math.abs(luma(style.colour()) - luma(theirs.colour()));
        assertThat(dashesDiffer || lightness > 40).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void controlsAreGreyAndTheOthersAreNot(Variant variant) {
        Color colour = VariantStyles.of(variant).colour();
        boolean grey = colour.getRed() == colour.getGreen() && colour.getGreen() == colour.getBlue();
        boolean control = Set.of(
                        Variant.RANDOM, Variant.RANDOM_BAYES, Variant.RANDOM_MEAN, Variant.IMPUTE, Variant.MODEL_ONLY)
                .contains(variant);
        assertThat(grey).isEqualTo(control);
    }

    @Test
    void anSvgHasTextsColoursAndAViewBox() throws Exception {
        Document svg = parse(Svg.of(Drawing.of(twoLines())));
        assertThat(texts(svg)).contains("Hopper-v4, PPO", "iteration", "mean return", "large", "kq", "40");
        String markup = Svg.of(Drawing.of(twoLines()));
        assertThat(markup).contains("stroke=\"rgb(178,24,43)\"", "stroke=\"rgb(230,159,0)\"");
        assertThat(svg.getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 780 450");
        assertThat(markup).doesNotContain("<!DOCTYPE", "<?xml", "http://www.w3.org/1999");
    }

    private static Figure crowded() {
        List<Figure.Line> all = Arrays.stream(Variant.values())
                .map(variant -> line("a rather long label, learning-rate 0.0003", variant, 2, 5_000_000))
                .toList();
        return new Figure(
                "c", "InvertedDoublePendulum-v4, PPO", "environment steps", "mean return", OptionalDouble.empty(), all);
    }

    private static List<Named<Drawing>> drawings() {
        return List.of(
                Named.of("many lines", Drawing.of(crowded())),
                Named.of("two lines", Drawing.of(twoLines())),
                Named.of("panel", new Panel("p", List.of(List.of(Optional.of(crowded()), Optional.of(twoLines()))))));
    }

    /** The outermost pixels of an image are white, so nothing is cut off. */
    @ParameterizedTest
    @MethodSource("drawings")
    void nothingIsClipped(Drawing drawing) {
        BufferedImage image = DrawingFiles.image(drawing);
        for (int x = 0; x < image.getWidth(); x++) {
            assertThat(image.getRGB(x, 0) & image.getRGB(x, image.getHeight() - 1))
                    .isEqualTo(-1);
        }
        for (int y = 0; y < image.getHeight(); y++) {
            assertThat(image.getRGB(0, y) & image.getRGB(image.getWidth() - 1, y))
                    .isEqualTo(-1);
        }
    }

    @Test
    void theBandHasThePaleColourOfItsLine() {
        BufferedImage image = DrawingFiles.image(Drawing.of(twoLines()));
        assertThat(image.getWidth()).isEqualTo(2 * 780);
        long pale = 0;
        long strong = 0;
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                Color colour = new Color(image.getRGB(x, y));
                int redness = colour.getRed() - colour.getBlue();
                strong += redness > 120 ? 1 : 0;
                pale += redness > 15 && redness < 90 ? 1 : 0;
            }
        }
        assertThat(strong).isPositive();
        assertThat(pale).isGreaterThan(20_000);
    }

    @Test
    void twoFiguresShareNoId() throws Exception {
        Set<String> seen = new HashSet<>();
        for (String name : List.of("one", "two")) {
            Document svg = parse(Svg.of(Drawing.of(figure(name, "iteration", line("kq", Variant.KQ, 2, 9)))));
            Set<String> ids = new TreeSet<>();
            NodeList elements = svg.getElementsByTagName("*");
            for (int i = 0; i < elements.getLength(); i++) {
                String id = ((Element) elements.item(i)).getAttribute("id");
                if (!id.isEmpty()) {
                    assertThat(ids.add(id)).isTrue();
                }
            }
            assertThat(ids).isNotEmpty().allSatisfy(id -> assertThat(seen).doesNotContain(id));
            seen.addAll(ids);
        }
    }

    @Test
    void aPanelShowsAllFiguresAndALegendWithoutDuplicates() throws Exception {
        Figure other = figure("o", "iteration", line("small", Variant.SMALL, 1, 40));
        Panel panel = new Panel(
                "p", List.of(List.of(Optional.of(other), Optional.of(twoLines())), List.of(Optional.empty())));
        assertThat(panel.legend().keySet()).containsExactly("large", "kq", "small (1 seed)");
        List<String> texts = texts(parse(Svg.of(panel)));
        assertThat(texts.stream().filter("Hopper-v4, PPO"::equals)).hasSize(2);
        assertThat(texts.stream().filter("kq"::equals)).hasSize(1);
    }

    @Test
    void anIntervalChartShowsValuesInOrderOnOneScale() throws Exception {
        IntervalChart chart = new IntervalChart(
                "i",
                "score",
                List.of(new IntervalChart.Mark(0, "small"), new IntervalChart.Mark(1, "large")),
                List.of(new IntervalChart.Column(
                        "PPO",
                        List.of(
                                new IntervalChart.Dot("kq", VariantStyles.of(Variant.KQ), 0.25, 0.1, 0.5),
                                new IntervalChart.Dot("kq-plus", VariantStyles.of(Variant.KQ_PLUS), 0.75, NAN, NAN)))));
        Document svg = parse(Svg.of(chart));
        assertThat(texts(svg)).contains("PPO", "kq", "kq-plus", "small", "large", "score", "0.0", "1.0");
        List<Double> dots = new ArrayList<>();
        NodeList circles = svg.getElementsByTagName("circle");
        for (int i = 0; i < circles.getLength(); i++) {
            Element circle = (Element) circles.item(i);
            if (!circle.getAttribute("fill").equals("none")) {
                dots.add(Double.parseDouble(circle.getAttribute("cx")));
            }
        }
        assertThat(dots).hasSize(2);
        assertThat(dots.get(0)).isLessThan(dots.get(1));
    }

    /** If the large batch is hardly ahead, the others are far out and the two marks close together. */
    @Test
    void labelsOfCloseMarksDoNotOverlapAndColumnsHaveTheirOwnScale() throws Exception {
        IntervalChart chart = new IntervalChart(
                "i",
                "score",
                List.of(new IntervalChart.Mark(0, "small"), new IntervalChart.Mark(1, "large")),
                List.of(
                        new IntervalChart.Column("VPG", List.of(dot(0.25), dot(0.75))),
                        new IntervalChart.Column("PPO", List.of(dot(0.25), dot(14)))));
        Document svg = parse(Svg.of(chart));
        double[] small = positions(svg, "small");
        double[] large = positions(svg, "large");
        int width = Fonts.metrics(Fonts.sans(12)).stringWidth("small");
        assertThat(large[1] - small[1]).isBetween(width + 3.0, width + 12.0);
        assertThat(large[0] - small[0]).isGreaterThan(150);
        assertThat(texts(svg)).contains("0.2", "0.8", "10", "12").doesNotContain("10.0");
    }

    private static IntervalChart.Dot dot(double value) {
        return new IntervalChart.Dot("kq", VariantStyles.of(Variant.KQ), value, NAN, NAN);
    }

    /** The horizontal positions at which a text starts, sorted. */
    private static double[] positions(Document svg, String text) {
        NodeList elements = svg.getElementsByTagName("text");
        List<Double> positions = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (element.getTextContent().equals(text)) {
                positions.add(Double.parseDouble(element.getAttribute("x")));
            }
        }
        return positions.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /** For any number of decades: labels between the powers of ten if there is space, and none otherwise. */
    @Test
    void aLogarithmicAxisHasAsManyLabelsAsFit() throws Exception {
        Figure some =
                figure("f", "reward evaluations", line("large", Variant.LARGE, 3, 6400), line("kq", Variant.KQ, 3, 32));
        assertThat(texts(parse(Svg.of(Drawing.of(some))))).contains("100", "200", "500", "1K", "2K", "5K");
        Figure many =
                figure("f", "environment steps", line("large", Variant.LARGE, 3, 6e6), line("kq", Variant.KQ, 3, 32));
        assertThat(texts(parse(Svg.of(Drawing.of(many))))).contains("100", "1M").doesNotContain("200", "2K", "500K");
    }

    /** As many groups as anybody compares: each differs from all others, and neighbours differ in colour and dashes. */
    @Test
    void furtherGroupsHaveLinesOfTheirOwnAndNoneIsPale() {
        Set<List<?>> seen = new HashSet<>();
        for (int i = 0; i < 28; i++) {
            LineStyle style = VariantStyles.other(i);
            assertThat(seen.add(List.of(style.colour(), Arrays.toString(style.dashes()))))
                    .isTrue();
            assertThat(VariantStyles.other(i + 1).colour()).isNotEqualTo(style.colour());
            assertThat(VariantStyles.other(i + 1).dashes()).isNotEqualTo(style.dashes());
            assertThat(luma(style.colour())).isLessThan(210);
            assertThat(Arrays.stream(Variant.values())
                            .mapToDouble(variant ->
                                    distance(VariantStyles.of(variant).colour(), style.colour()))
                            .min()
                            .orElseThrow())
                    .isGreaterThan(60);
        }
    }

    private static double distance(Color one, Color other) {
        return Math.sqrt(Math.pow(one.getRed() - other.getRed(), 2)
                + Math.pow(one.getGreen() - other.getGreen(), 2)
                + Math.pow(one.getBlue() - other.getBlue(), 2));
    }

    /** Counts the semi-transparent filled shapes. */
    private static long bands(Figure figure) {
        String svg = Svg.of(Drawing.of(figure));
        return Pattern.compile(" opacity=\"0\\.1").matcher(svg).results().count();
    }

    private static List<String> labels(JFreeChart chart) {
        List<String> labels = new ArrayList<>();
        var items = chart.getLegend().getSources()[0].getLegendItems();
        for (int i = 0; i < items.getItemCount(); i++) {
            LegendItem item = items.get(i);
            labels.add(item.getLabel());
        }
        return labels;
    }

    private static double luma(Color colour) {
        return 0.299 * colour.getRed() + 0.587 * colour.getGreen() + 0.114 * colour.getBlue();
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }

    private static List<String> texts(Document svg) {
        NodeList elements = svg.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            texts.add(elements.item(i).getTextContent());
        }
        return texts;
    }
}
