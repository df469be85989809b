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

/** Writes drawings as SVG. Text remains text, and ids are unique across drawings, so that a page can contain several. */
final class Svg {
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    /** Decimals of all numbers. Coordinates need fewer, but the bands' opacities do not. */
    private static final int DECIMALS = 2;

    static {
        // otherwise JFreeChart converts rotated text to outlines, which cannot be searched or selected
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
            context.setIDGenerator(new PrefixedIds(drawing.name()));
            SVGGraphics2D graphics = new SVGGraphics2D(context, false);
            graphics.setSVGCanvasSize(new Dimension(drawing.width(), drawing.height()));
            drawing.draw(graphics);
            Element root = graphics.getRoot();
            removeSharedId(root);
            root.setAttribute("viewBox", "0 0 " + drawing.width() + " " + drawing.height());
            return text(root);
        } catch (ParserConfigurationException | TransformerException e) {
            throw new IllegalStateException("the JDK's XML support failed", e);
        }
    }

    /** Removes an id that Batik gives to an element of every drawing but never refers to. */
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
        // Java's logical font is DejaVu Sans on most Linux systems; Verdana has the same widths, so labels stay centred
        return text.toString()
                .replace("'SansSerif'", "sans-serif")
                .replace("sans-serif", "'DejaVu Sans',Verdana,sans-serif");
    }

    private static final class PrefixedIds extends SVGIDGenerator {
        private final String name;

        private PrefixedIds(String name) {
            this.name = name;
        }

        @Override
        public String generateID(String prefix) {
            return name + "-" + super.generateID(prefix);
        }
    }
}
