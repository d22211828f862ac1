package dev.weir.cli.outline;

import java.util.List;
import java.util.Map;

/**
 * One limit of a rule, as a rule file writes it.
 *
 * @param key the attributes of its key
 * @param settings its other keys with their values as text, in the order of the file; those of a
 *     mapping by dotted names, {@code overrides.acme}
 */
public record LimitOutline(String name, List<String> key, Map<String, String> settings) {}
