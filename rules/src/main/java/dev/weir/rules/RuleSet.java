package dev.weir.rules;

import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.rules.internal.envoy.AttributeDescriptors;
import dev.weir.rules.internal.envoy.Domain;
import dev.weir.rules.internal.match.Explainer;
import dev.weir.rules.internal.match.ResponseRules;
import dev.weir.rules.internal.match.Rule;
import dev.weir.rules.internal.match.RuleIndex;
import dev.weir.rules.internal.match.RuleLimit;
import dev.weir.rules.internal.read.DiskRuleFiles;
import dev.weir.rules.internal.read.RuleFiles;
import dev.weir.rules.internal.read.RulesReader;
import dev.weir.rules.internal.write.RulesWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which limits apply to a request. Immutable, and so safe for many threads.
 *
 * <pre>{@code
 * RuleSet rules = RuleSet.load(Path.of("weir.yaml"));
 * List<Claim> claims = rules.claims(Attributes.of(Map.of("ip", "192.0.2.1", "path", "/login")));
 * Decision decision = limiter.decide(claims);
 * }</pre>
 */
public final class RuleSet {
  private final List<Rule> rules;
  private final RuleIndex index;
  private final DescriptorRules descriptors;
  private final @Nullable String store;
  private final ResponseRules responses;
  private final List<Fault> hints;

  private RuleSet(List<Rule> rules, List<Domain> domains, @Nullable String store) {
    this(rules, domains, store, List.of());
  }

  private RuleSet(
      List<Rule> rules, List<Domain> domains, @Nullable String store, List<Fault> hints) {
    this.hints = hints;
    this.rules = List.copyOf(rules);
    this.index = new RuleIndex(rules);
    this.descriptors = new DescriptorRules(domains);
    this.store = store;
    this.responses = ResponseRules.of(rules);
  }

  /** No rules at all: nothing is limited. */
  public static RuleSet empty() {
    return new RuleSet(List.of(), List.of(), null);
  }

  /**
   * Reads files, and directories with files, into one set.
   *
   * @throws InvalidRulesException with every fault of every file
   */
  public static RuleSet load(Path... filesOrDirectories) {
    return load(new DiskRuleFiles(), List.of(filesOrDirectories));
  }

  static RuleSet load(RuleFiles contents, List<Path> filesOrDirectories) {
    RulesReader reader = new RulesReader(contents);
    filesOrDirectories.forEach(reader::read);
    return of(reader);
  }

  /**
   * Reads rules from a text.
   *
   * @param name what the text is called in messages, in the place of a file
   * @throws InvalidRulesException with every fault
   */
  public static RuleSet parse(String name, String yaml) {
    return parse(name, yaml.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads rules from bytes that came from elsewhere; what is not UTF-8 is a fault with its place.
   *
   * @param name what the text is called in messages, in the place of a file
   * @throws InvalidRulesException with every fault
   */
  public static RuleSet parse(String name, byte[] utf8) {
    RulesReader reader = new RulesReader(new DiskRuleFiles());
    reader.read(name, utf8);
    return of(reader);
  }

  private static RuleSet of(RulesReader reader) {
    reader.end();
    if (!reader.faults().isEmpty()) {
      throw new InvalidRulesException(reader.faults().inOrder(), reader.faults().hints());
    }
    return new RuleSet(reader.rules(), reader.domains(), reader.store(), reader.faults().hints());
  }

  /** The claims of a request that costs one permit. */
  public List<Claim> claims(Attributes attributes) {
    return claims(attributes, 1);
  }

  /**
   * The claims of a request, in the order of the rules; empty if nothing limits it.
   *
   * @param permits for limits without a {@code cost} of their own; 0 or more
   * @throws InvalidAttributeException if an attribute that holds a cost is not a number
   */
  public List<Claim> claims(Attributes attributes, long permits) {
    if (!attributes.otherPaths().isEmpty()) {
      return claimsOfAllPaths(attributes, permits);
    }
    List<Claim> claims = new ArrayList<>(4);
    index.forEachMatch(attributes, rule -> addClaims(rule, attributes, permits, claims));
    claims.addAll(descriptors.claims(attributes, permits));
    return Collections.unmodifiableList(claims);
  }

  /** Equal claims count once: several paths of one request are still one request. */
  private List<Claim> claimsOfAllPaths(Attributes attributes, long permits) {
    Set<Claim> claims = new LinkedHashSet<>();
    for (Attributes reading : AttributesWithPaths.readings(attributes)) {
      claims.addAll(claims(reading, permits));
    }
    return List.copyOf(claims);
  }

  /**
   * The claims to charge or to refund: without those of blocked keys, which exist only to be
   * denied.
   */
  public List<Claim> chargeableClaims(Attributes attributes, long permits) {
    return claims(attributes, permits).stream().filter(claim -> !claim.isBlocked()).toList();
  }

  /**
   * What must be given back of the permits that a request took, now that the application has
   * responded to it: of limits with {@code count} or {@code give-back}, if the response does not
   * count. Give it to {@code refund}, once. Empty for nearly every request.
   *
   * @param receipt of the decision that allowed the request
   * @param status of the response, as HTTP has it
   */
  public Optional<Receipt> givenBack(Receipt receipt, int status) {
    return responses.givenBack(receipt, status);
  }

  /** Whether the response to a request can matter to {@link #givenBack}. */
  public boolean looksAtResponses() {
    return !responses.isEmpty();
  }

  private static void addClaims(
      Rule rule, Attributes attributes, long permits, List<Claim> claims) {
    for (RuleLimit limit : rule.limits()) {
      Claim claim = limit.claim(attributes, permits);
      if (claim != null) {
        claims.add(claim);
      }
    }
  }

  /**
   * Evaluates every rule for a request and explains the result. For people; too slow for the hot
   * path.
   */
  public Explanation explain(Attributes attributes) {
    return AttributesWithPaths.readings(attributes).stream()
        .map(this::explainOnePath)
        .reduce(Explanation::orElse)
        .orElseThrow();
  }

  private Explanation explainOnePath(Attributes reading) {
    List<Explanation.RuleView> views = new ArrayList<>(Explainer.explain(rules, reading));
    views.addAll(descriptors.explain(reading));
    return new Explanation(views);
  }

  /**
   * Warnings about rules that are valid but probably a mistake, such as an attribute {@code Path}.
   */
  public List<Fault> hints() {
    return hints;
  }

  /** The rules in the format of Envoy's reference service; none if no file was in it. */
  public DescriptorRules descriptors() {
    return descriptors;
  }

  /** The store that the rules name, as written: {@code memory} or an address. */
  public Optional<String> store() {
    return Optional.ofNullable(store);
  }

  /**
   * The rules as one YAML text, whatever files they came from: {@link #parse} makes rules of it
   * that choose the same claims for every request, and whose text is the same again.
   *
   * <p>Overrides from a file of their own stand beside those of the limit. What has no effect is
   * left out, and so is {@code store}: its address may hold a password, and this text is for
   * showing. Rules from several files, or from one with aliases, can become longer than a text that
   * is read may be.
   */
  public String toYaml() {
    return RulesWriter.write(rules, descriptors.all());
  }

  /** The names of the rules, in their order, and then of the domains. */
  public List<String> names() {
    return Stream.concat(rules.stream().map(Rule::name), descriptors.domains().stream()).toList();
  }

  /**
   * The rule of this name alone, applied to every request whatever its {@code when} says: for code
   * that names the rule it is limited by. Empty if there is no such rule.
   */
  public Optional<RuleSet> only(String name) {
    return rules.stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .map(rule -> new RuleSet(List.of(rule.unconditional()), List.of(), store));
  }

  /**
   * The limits that look at one of these attributes, themselves or in the conditions of their rule.
   * With {@link #notUsingAttributes}, for requests whose attributes become known in two steps: the
   * address at once, the user later.
   */
  public RuleSet usingAttributes(Set<String> attributes) {
    return keeping((rule, limit) -> rule.looksAt(attributes) || limit.looksAt(attributes));
  }

  /** The limits that {@link #usingAttributes} leaves out. */
  public RuleSet notUsingAttributes(Set<String> attributes) {
    return keeping((rule, limit) -> !rule.looksAt(attributes) && !limit.looksAt(attributes));
  }

  /**
   * The same rules, one of them in another mode.
   *
   * @throws IllegalArgumentException if there is no such rule
   */
  public RuleSet withMode(String rule, Mode mode) {
    if (rules.stream().noneMatch(each -> each.name().equals(rule))) {
      throw new IllegalArgumentException("there must be a rule \"" + rule + "\", was none");
    }
    List<Rule> changed =
        rules.stream().map(each -> each.name().equals(rule) ? each.withMode(mode) : each).toList();
    return new RuleSet(changed, List.copyOf(descriptors.all()), store);
  }

  /**
   * The policies of all limits, those of tiers too; without overrides of single keys, and without
   * Envoy's domains, whose policies depend on the descriptor.
   */
  public List<Policy> policies() {
    return rules.stream()
        .flatMap(rule -> rule.limits().stream())
        .flatMap(RuleLimit::policies)
        .toList();
  }

  /** Where the rule of this name is written, as file and line; empty if there is no such rule. */
  public Optional<String> place(String rule) {
    return rules.stream().filter(each -> each.name().equals(rule)).map(Rule::place).findFirst();
  }

  private RuleSet keeping(BiPredicate<Rule, RuleLimit> kept) {
    List<Rule> parts =
        rules.stream()
            .map(rule -> rule.keeping(limit -> kept.test(rule, limit)))
            .filter(rule -> !rule.limits().isEmpty())
            .toList();
    return new RuleSet(parts, List.of(), store);
  }

  /** The attributes that at least one rule looks at. */
  public Set<String> attributes() {
    Set<String> names = new TreeSet<>();
    for (Rule rule : rules) {
      rule.conditions().forEach(condition -> names.add(condition.attribute()));
      rule.limits().forEach(limit -> limit.addAttributes(names));
    }
    for (Domain domain : descriptors.all()) {
      names.add(AttributeDescriptors.DOMAIN);
      AttributeDescriptors.addAttributes(domain.descriptors(), names);
    }
    return Collections.unmodifiableSet(names);
  }
}
