package dev.pgkq.app.trace;

import dev.pgkq.env.Figure;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The drawing of a task as JSON, for the pages of the dashboard. */
final class FigureJson {
    private static final JsonMapper JSON = new JsonMapper();

    private FigureJson() {}

    static ObjectNode of(Figure figure) {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode bodies = root.putArray("bodies");
        for (Figure.Body body : figure.bodies()) {
            ObjectNode node = bodies.addObject().put("parent", body.parent());
            point(node, "at", body.x(), body.z());
            node.put("angle", body.angle());
        }
        ArrayNode joints = root.putArray("joints");
        for (Figure.Joint joint : figure.joints()) {
            ObjectNode node = joints.addObject().put("body", joint.body());
            switch (joint) {
                case Figure.Slide slide -> {
                    node.put("kind", "slide");
                    point(node, "axis", slide.axisX(), slide.axisZ());
                }
                case Figure.Hinge hinge -> {
                    node.put("kind", "hinge").put("sign", hinge.sign());
                    point(node, "at", hinge.x(), hinge.z());
                }
            }
            node.put("state", joint.state()).put("zero", joint.zero());
        }
        ArrayNode shapes = root.putArray("shapes");
        for (Figure.Capsule capsule : figure.capsules()) {
            ObjectNode node = shapes.addObject().put("body", capsule.body());
            point(node, "from", capsule.fromX(), capsule.fromZ());
            point(node, "to", capsule.toX(), capsule.toZ());
            node.put("radius", capsule.radius());
        }
        figure.ground().ifPresentOrElse(height -> root.put("ground", height), () -> root.putNull("ground"));
        return root.put("follow", figure.follow()).put("seconds", figure.seconds());
    }

    private static void point(ObjectNode into, String name, double x, double z) {
        into.putArray(name).add(x).add(z);
    }
}
