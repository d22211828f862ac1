package dev.weir.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which rules are in effect, and whether newer ones were refused: for health checks. Logs each
 * change. Safe for many threads; make it a listener of {@link LiveRules}.
 */
public final class RuleStatus implements RuleListener {
  private static final System.Logger LOG = System.getLogger(RuleStatus.class.getName());
  private static final int HASH_DIGITS = 12;
  private static final int MAX_FAULTS = 20;

  private final Supplier<String> source;
  private volatile InEffect inEffect;
  private volatile @Nullable RefusedRules refusal;

  /**
   * @param source where the rules in effect come from
   */
  public RuleStatus(RuleSet first, Supplier<String> source) {
    this.source = source;
    this.inEffect = new InEffect(1, first.names().size(), source.get(), hash(first));
  }

  /**
   * The rules in effect.
   *
   * @param version how many this instance has taken, from 1
   * @param source where they come from
   * @param hash the same for the same rules, on every instance and wherever they come from
   */
  public record InEffect(int version, int rules, String source, String hash) {
    @Override
    public String toString() {
      return rules + " rules from " + source + ", hash " + hash;
    }
  }

  /**
   * Rules that were refused, and when.
   *
   * @param faults the first of them
   * @param more how many more there were
   */
  public record RefusedRules(Instant at, List<Fault> faults, int more) {
    static RefusedRules now(InvalidRulesException why) {
      List<Fault> all = why.faults();
      List<Fault> first = List.copyOf(all.subList(0, Math.min(all.size(), MAX_FAULTS)));
      return new RefusedRules(Instant.now(), first, all.size() - first.size());
    }
  }

  public InEffect inEffect() {
    return inEffect;
  }

  /** The latest rules, if they were refused. */
  public Optional<RefusedRules> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public void replaced(RuleSet rules) {
    refusal = null;
    InEffect next =
        new InEffect(inEffect.version + 1, rules.names().size(), source.get(), hash(rules));
    inEffect = next;
    LOG.log(System.Logger.Level.INFO, "rules version " + next.version + ": " + next);
  }

  @Override
  public void overridden(RuleSet rules) {
    LOG.log(
        System.Logger.Level.INFO,
        "the rule files have changed; the shared rules stay in effect until they are deleted");
  }

  @Override
  public void refused(InvalidRulesException why) {
    refusal = RefusedRules.now(why);
    LOG.log(
        System.Logger.Level.ERROR,
        "new rules were refused, those before stay in effect:\n" + why.getMessage());
  }

  private static String hash(RuleSet rules) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(rules.toYaml().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
