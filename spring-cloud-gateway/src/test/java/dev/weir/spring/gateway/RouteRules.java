package dev.weir.spring.gateway;

import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Rules with conditions as rules of routes. A route's filter applies one rule, whatever its
 * conditions; so each route of {@code contract.yaml} gets one rule with the limits of all rules
 * that apply to a GET of its path.
 */
final class RouteRules {
  private static final List<String> ROUTES = List.of("login", "rest");

  private RouteRules() {}

  @SuppressWarnings("unchecked") // the rules of the contract have this form
  static RuleSet parse(String yaml) {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    var rules = (List<Map<String, Object>>) ((Map<String, Object>) loaded).get("rules");
    List<Map<String, Object>> byRoute = new ArrayList<>();
    for (String route : ROUTES) {
      Map<String, Object> rule = rule(route, rules);
      if (rule.containsKey("limits")) {
        byRoute.add(rule);
      }
    }
    Dump dump = new Dump(DumpSettings.builder().build());
    return RuleSet.parse("test", dump.dumpToString(Map.of("rules", byRoute)));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> rule(String route, List<Map<String, Object>> rules) {
    Map<String, Object> combined = new LinkedHashMap<>();
    for (Map<String, Object> rule : rules) {
      var when = (Map<String, Object>) rule.getOrDefault("when", Map.of());
      if (when.getOrDefault("path", "/" + route).equals("/" + route)
          && when.getOrDefault("method", "GET").equals("GET")) {
        List<Object> limits =
            new ArrayList<>((List<Object>) combined.getOrDefault("limits", List.of()));
        limits.addAll((List<Object>) rule.get("limits"));
        combined.putAll(rule);
        combined.put("limits", limits);
      }
    }
    combined.remove("when");
    combined.put("name", route);
    return combined;
  }
}
