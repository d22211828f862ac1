package dev.weir.cli.rules;

import dev.weir.MemoryStore;
import dev.weir.cli.options.AddressOptions;
import dev.weir.cli.options.RuleFileOptions;
import dev.weir.cli.options.StoreOptions;
import dev.weir.http.AmbiguousPathException;
import dev.weir.http.RequestAttributes;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options for a request, its rules and its store. */
final class RequestOptions {
  /** Long, because a person waits for the answer, and a failure policy's answer is of no use. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Mixin private RuleFileOptions config = new RuleFileOptions();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--permits",
      paramLabel = "<n>",
      description = "What the request costs; 0 takes nothing. Default: 1")
  private long permits = 1;

  @Option(names = "--json", description = "Answer in JSON.")
  private boolean json;

  @Parameters(
      paramLabel = "<attribute>=<value>",
      description = "What is known of the request: user=u-42 path=/api/x method=GET.")
  private List<String> attributes = List.of();

  @Mixin private AddressOptions address = new AddressOptions();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  boolean json() {
    return json;
  }

  long permits() {
    if (permits < 0) {
      throw usage("--permits must be 0 or more, was " + permits);
    }
    return permits;
  }

  RuleSet rules() {
    return config.load();
  }

  LimitStore open(RuleSet rules) {
    return address(rules)
        .open(
            MemoryStore.Builder::build,
            redis -> redis.connectTimeout(PATIENCE).timeout(PATIENCE).build());
  }

  private StoreAddress address(RuleSet rules) {
    try {
      return store.parse(store.address().or(rules::store).orElse(StoreAddress.MEMORY));
    } catch (IllegalArgumentException malformed) {
      throw usage("--" + malformed.getMessage());
    }
  }

  Attributes attributes() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String attribute : attributes) {
      int equals = attribute.indexOf('=');
      if (equals < 1) {
        throw usage("an attribute must be <name>=<value>, was " + attribute);
      }
      if (values.put(attribute.substring(0, equals), attribute.substring(equals + 1)) != null) {
        throw usage("attribute " + attribute.substring(0, equals) + " must be given once");
      }
    }
    return normalised(values);
  }

  /** As the service reads the body of a call. */
  private Attributes normalised(Map<String, String> values) {
    try {
      RequestAttributes read = RequestAttributes.read(values, address.addresses());
      return Attributes.of(read.values(), read.otherPaths());
    } catch (AmbiguousPathException ambiguous) {
      throw usage(ambiguous.getMessage());
    }
  }

  /** Warns of attributes that no rule uses: often a typo, which would go unnoticed. */
  void noteUnused(RuleSet rules, PrintWriter err) {
    Set<String> used = rules.attributes();
    for (String attribute : attributes) {
      String name = attribute.substring(0, attribute.indexOf('='));
      if (!used.contains(name)) {
        err.println(
            "Note: no rule looks at " + name + "; they look at " + String.join(", ", used) + ".");
      }
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
