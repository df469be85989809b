package dev.pgkq.app.report;

import dev.pgkq.app.plot.LineStyle;
import dev.pgkq.app.plot.VariantStyles;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Study;
import dev.pgkq.train.Variant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The style of every group's line, by its label: the same in all figures and tables of a study. The first group of a variant has
 * the variant's style, and every other group one of its own.
 */
record GroupStyles(Map<String, LineStyle> styles) {
    static GroupStyles of(Study study) {
        Map<String, LineStyle> styles = new LinkedHashMap<>();
        int others = 0;
        for (Variant variant : Study.ORDER) {
            List<String> labels = study.groups().stream()
                    .filter(group -> group.variant() == variant)
                    .map(Group::label)
                    .distinct()
                    .toList();
            for (int i = 0; i < labels.size(); i++) {
                styles.put(labels.get(i), i == 0 ? VariantStyles.of(variant) : VariantStyles.other(others++));
            }
        }
        return new GroupStyles(styles);
    }

    LineStyle of(Group group) {
        return of(group.label());
    }

    /** The label of a group, with a sample of its line. */
    String swatch(Group group) {
        return TableCells.swatch(of(group), group.label());
    }

    LineStyle of(String label) {
        LineStyle style = styles.get(label);
        if (style == null) {
            throw new IllegalArgumentException("no group is called " + label);
        }
        return style;
    }
}
