/**
 * Says what is wrong with a server before it is used: what {@code weir doctor} prints.
 *
 * <p>Start at {@code Examination}, which connects to every server of an address. {@code
 * ServerFindings} reads what INFO says, {@code ScriptFindings} tries the commands of the scripts,
 * {@code ClusterFindings} looks at the table of hash slots.
 */
@NullMarked
package dev.weir.redis.internal.diagnosis;

import org.jspecify.annotations.NullMarked;
