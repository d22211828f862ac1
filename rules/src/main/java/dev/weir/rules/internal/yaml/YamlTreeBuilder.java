package dev.weir.rules.internal.yaml;

import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Builds the tree from the parser's events.
 *
 * <p>Two bounds hold against hostile files. Depth: the builder recurses. Size with all aliases
 * written out: nine levels of nine aliases each, a few hundred bytes, would be 387 million values.
 */
final class YamlTreeBuilder {
  private static final int MAX_DEPTH = 32;
  private static final long MAX_VALUES = 4_000_000;

  private final String file;
  private final FaultCollector faults;
  private final Map<String, Anchored> anchors = new HashMap<>();
  private Iterator<Event> events = List.<Event>of().iterator();
  private long values;

  /** A value that aliases may name; null while it is still being built. */
  private record Anchored(@Nullable YamlNode node, long values) {}

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient SourcePosition at;

    Refused(SourcePosition at, String text) {
      super(text);
      this.at = at;
    }
  }

  YamlTreeBuilder(String file, FaultCollector faults) {
    this.file = file;
    this.faults = faults;
  }

  @Nullable YamlNode build(String text) {
    try {
      LoadSettings settings = settings();
      events = new ParserImpl(settings, new StreamReader(settings, text));
      return document();
    } catch (Refused refused) {
      faults.add(refused.at, refused.getMessage());
    } catch (MarkedYamlEngineException malformed) {
      faults.add(place(malformed), "not well-formed YAML: " + words(malformed));
    } catch (YamlEngineException malformed) {
      faults.add(SourcePosition.start(file), "not well-formed YAML: " + malformed.getMessage());
    }
    return null;
  }

  private static LoadSettings settings() {
    return LoadSettings.builder().setCodePointLimit(YamlReader.MAX_BYTES).build();
  }

  private YamlNode document() {
    next(); // start of the stream
    Event event = next();
    if (event.getEventId() == Event.ID.StreamEnd) {
      throw new Refused(SourcePosition.start(file), "a file must not be empty");
    }
    YamlNode node = node(next(), 0);
    next(); // end of the document
    Event after = next();
    if (after.getEventId() != Event.ID.StreamEnd) {
      throw new Refused(place(after), "a file must hold one document, was followed by another");
    }
    return node;
  }

  private Event next() {
    return events.next();
  }

  private YamlNode node(Event event, int depth) {
    SourcePosition at = place(event);
    if (depth > MAX_DEPTH) {
      throw new Refused(at, "values must be nested at most " + MAX_DEPTH + " deep, was deeper");
    }
    if (event instanceof AliasEvent alias) {
      return aliased(alias, at);
    }
    count(1, at);
    long before = values;
    String anchor = anchor(event);
    if (anchor != null) {
      anchors.put(anchor, new Anchored(null, 0));
    }
    YamlNode node = fresh(event, at, depth);
    if (anchor != null) {
      anchors.put(anchor, new Anchored(node, values - before + 1));
    }
    return node;
  }

  private YamlNode aliased(AliasEvent event, SourcePosition at) {
    String name = event.getAlias().getValue();
    Anchored anchored = anchors.get(name);
    if (anchored == null) {
      throw new Refused(at, "alias *" + MessageText.shown(name) + " has no anchor before it");
    }
    if (anchored.node == null) {
      throw new Refused(
          at, "alias *" + MessageText.shown(name) + " must not stand inside its own anchor");
    }
    count(anchored.values, at);
    return anchored.node;
  }

  private void count(long more, SourcePosition at) {
    values += more;
    if (values > MAX_VALUES) {
      throw new Refused(
          at, "a file must hold at most " + MAX_VALUES + " values, aliases written out, was more");
    }
  }

  private static @Nullable String anchor(Event event) {
    return event instanceof NodeEvent node && node.getAnchor().isPresent()
        ? node.getAnchor().get().getValue()
        : null;
  }

  private YamlNode fresh(Event event, SourcePosition at, int depth) {
    if (event instanceof ScalarEvent scalar) {
      refuseTag(scalar.getTag().orElse(null), at);
      return new Scalar(at, scalar.getValue(), scalar.getScalarStyle() != ScalarStyle.PLAIN);
    }
    refuseTag(((CollectionStartEvent) event).getTag().orElse(null), at);
    return event.getEventId() == Event.ID.SequenceStart
        ? new Items(at, items(depth))
        : new Mapping(at, entries(depth));
  }

  private static void refuseTag(@Nullable String tag, SourcePosition at) {
    if (tag != null) {
      throw new Refused(at, "tags are not read, was !<" + MessageText.shown(tag) + ">");
    }
  }

  private List<YamlNode> items(int depth) {
    List<YamlNode> items = new ArrayList<>();
    for (Event event = next(); event.getEventId() != Event.ID.SequenceEnd; event = next()) {
      items.add(node(event, depth + 1));
    }
    return items;
  }

  private List<Entry> entries(int depth) {
    List<Entry> entries = new ArrayList<>();
    for (Event event = next(); event.getEventId() != Event.ID.MappingEnd; event = next()) {
      YamlNode key = node(event, depth + 1);
      if (!(key instanceof Scalar name)) {
        throw new Refused(key.at(), "a key must be text, was " + key.kind());
      }
      // An alias used as a key stands where it is used, not where its text is.
      Scalar here = new Scalar(place(event), name.text(), name.quoted());
      entries.add(new Entry(here, node(next(), depth + 1)));
    }
    return entries;
  }

  private SourcePosition place(Event event) {
    return event.getStartMark().map(this::place).orElseGet(() -> SourcePosition.start(file));
  }

  private SourcePosition place(MarkedYamlEngineException malformed) {
    return malformed
        .getProblemMark()
        .or(malformed::getContextMark)
        .map(this::place)
        .orElseGet(() -> SourcePosition.start(file));
  }

  private SourcePosition place(Mark mark) {
    return new SourcePosition(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static String words(MarkedYamlEngineException malformed) {
    String context = malformed.getContext();
    String problem = MessageText.shown(malformed.getProblem().split("\\. ", 2)[0]);
    return context == null ? problem : problem + " (" + context + ")";
  }
}
