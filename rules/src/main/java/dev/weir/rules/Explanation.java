package dev.weir.rules;

import dev.weir.internal.text.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every rule makes of one request. Immutable.
 *
 * @param rules in the order of the rules, those that do not match too
 */
public record Explanation(List<RuleView> rules) {
  public Explanation {
    rules = List.copyOf(rules);
  }

  /**
   * One rule.
   *
   * @param reason why it matches or does not
   * @param limits empty unless it matches
   */
  public record RuleView(String rule, boolean matched, String reason, List<LimitView> limits) {
    public RuleView {
      limits = List.copyOf(limits);
    }

    private void write(JsonWriter out) {
      out.beginObject()
          .member("rule", rule)
          .member("matched", matched)
          .member("reason", reason)
          .beginArray("limits");
      limits.forEach(limit -> limit.write(out));
      out.endArray().endObject();
    }
  }

  /**
   * One limit of a rule that matches.
   *
   * @param applies whether the limit applies to the request
   * @param reason which limit it is and why that one, or why none applies
   * @param key null if the request lacks an attribute of it
   */
  public record LimitView(String name, boolean applies, String reason, @Nullable String key) {
    private void write(JsonWriter out) {
      out.beginObject()
          .member("name", name)
          .member("applies", applies)
          .member("reason", reason)
          .member("key", key)
          .endObject();
    }
  }

  /** Of the same rules for another path of the request: what matches there and not here. */
  Explanation orElse(Explanation other) {
    List<RuleView> views = new ArrayList<>(rules.size());
    for (int i = 0; i < rules.size(); i++) {
      views.add(rules.get(i).matched() ? rules.get(i) : other.rules.get(i));
    }
    return new Explanation(views);
  }

  /** The rules as a JSON array, on one line: what stands beside a decision as {@code rules}. */
  public String rulesAsJson() {
    StringBuilder json = new StringBuilder(256);
    JsonWriter out = JsonWriter.asciiOnly(json).beginArray();
    rules.forEach(rule -> rule.write(out));
    out.endArray();
    return json.toString();
  }
}
