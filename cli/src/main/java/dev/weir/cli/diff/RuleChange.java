package dev.weir.cli.diff;

/**
 * One difference between two sets of rules.
 *
 * @param where the rule, or the limit with its rule: {@code login/address}
 * @param text what changed, in words
 */
record RuleChange(String where, String text) {}
