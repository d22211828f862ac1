/**
 * For tests of stores and of what uses them. Start with {@link
 * dev.weir.testkit.LimitStoreContract}, which says what every store promises, {@link
 * dev.weir.testkit.HttpIntegrationContract}, which says what every integration with HTTP promises,
 * and {@link dev.weir.testkit.RedisServers}, which gives a test class real Redis servers; {@link
 * dev.weir.testkit.FaultProxy} disturbs connections to them, and {@link
 * dev.weir.testkit.FaultReport} records the results.
 *
 * <p>Everything public is for tests of users, too. The contract runs of core's own stores are among
 * the tests of this module and not of core: the contract needs core, so core cannot need the
 * contract.
 */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
