/**
 * For tests of stores and of what stands on them. Start with {@link
 * dev.weir.testkit.LimitStoreContract}, which says what every store promises, and {@link
 * dev.weir.testkit.RedisServers}, which gives a test class real Redis servers; {@link
 * dev.weir.testkit.FaultProxy} disturbs connections to them, and {@link
 * dev.weir.testkit.FaultReport} tells what came of it.
 */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
