package dev.pgkq.app.plot;

import java.awt.Dimension;
import java.io.StringWriter;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.text.TextUtils;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Drawings as SVG: text stays text, and several can stand in one page because no two share an id. */
final class Svg {
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    /** Decimals of all numbers. Coordinates would do with fewer, but the bands' opacities would not. */
    private static final int DECIMALS = 2;

    static {
        // Otherwise JFreeChart turns upright text into outlines, which nobody can search or select.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
    }

    private Svg() {}

    static String of(Drawing drawing) {
        try {
            Document document = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
            context.setPrecision(DECIMALS);
            context.setComment(null);
            context.setIDGenerator(new Prefixed(drawing.name()));
            SVGGraphics2D graphics = new SVGGraphics2D(context, false);
            graphics.setSVGCanvasSize(new Dimension(drawing.width(), drawing.height()));
            drawing.draw(graphics);
            Element root = graphics.getRoot();
            removeSharedId(root);
            root.setAttribute("viewBox", "0 0 " + drawing.width() + " " + drawing.height());
            return text(root);
        } catch (ParserConfigurationException | TransformerException e) {
            throw new IllegalStateException("the JDK's own XML does not work", e);
        }
    }

    /** Batik names one element the same in every picture, and refers to it nowhere. */
    private static void removeSharedId(Element root) {
        NodeList definitions = root.getElementsByTagName("defs");
        for (int i = 0; i < definitions.getLength(); i++) {
            Element element = (Element) definitions.item(i);
            if (element.getAttribute("id").equals("genericDefs")) {
                element.removeAttribute("id");
            }
        }
    }

    private static String text(Element root) throws TransformerException {
        Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter text = new StringWriter();
        transformer.transform(new DOMSource(root), new StreamResult(text));
        // Java's logical font is DejaVu Sans on most Linux systems, and Verdana is as wide: centred labels stay
        // centred.
        return text.toString()
                .replace("'SansSerif'", "sans-serif")
                .replace("sans-serif", "'DejaVu Sans',Verdana,sans-serif");
    }

    private static final class Prefixed extends SVGIDGenerator {
        private final String name;

        private Prefixed(String name) {
            this.name = name;
        }

        @Override
        public String generateID(String prefix) {
            return name + "-" + super.generateID(prefix);
        }
    }
}
