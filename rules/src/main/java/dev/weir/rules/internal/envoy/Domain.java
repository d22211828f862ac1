package dev.weir.rules.internal.envoy;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * One file of Envoy's format: a domain and its descriptors. Immutable.
 *
 * @param countOverLimit whether refused requests count, as they do in the reference service
 * @param calendar the time zone whose days, weeks and months count; null if windows are counted
 *     from 1970
 */
public record Domain(
    String name, boolean countOverLimit, @Nullable ZoneId calendar, DescriptorLevel descriptors) {}
