/**
 * The calls for administrators: rules, explain, refund, reset, blocks, the kill switch, the keys
 * denied most; and the gate that all of them pass.
 *
 * <p>Internal to the server, which adds them to its router. Start reading at {@link
 * dev.weir.server.http.admin.AdminGate}.
 */
@NullMarked
package dev.weir.server.http.admin;

import org.jspecify.annotations.NullMarked;
