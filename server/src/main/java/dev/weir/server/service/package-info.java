/**
 * What the service does, whatever protocol is used: decisions by the rules in effect, blocks and
 * the kill switch, publishing rules, health. Knows no HTTP.
 *
 * <p>Internal to the server. Start reading at {@link dev.weir.server.service.LimitService}.
 */
@NullMarked
package dev.weir.server.service;

import org.jspecify.annotations.NullMarked;
