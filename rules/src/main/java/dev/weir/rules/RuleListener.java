package dev.weir.rules;

/**
 * Is notified when new rules take effect or are refused. Called on the thread that read them; must
 * not block.
 */
public interface RuleListener {
  /** These rules are in effect now. */
  default void replaced(RuleSet rules) {}

  /** New rules were read, and will be in effect when the rules that override them end. */
  default void overridden(RuleSet rules) {}

  /** New rules were refused whole, once per version; those before them stay in effect. */
  default void refused(InvalidRulesException why) {}
}
