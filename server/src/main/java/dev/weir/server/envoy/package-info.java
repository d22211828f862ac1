/**
 * What Envoy's rate-limit protocol asks and what is answered, without gRPC and HTTP.
 *
 * <p>Start at {@link dev.weir.server.envoy.DescriptorService}: it finds the limits of a call, asks
 * the limiter in as few questions as the call's descriptors permit, and makes one status per
 * descriptor. {@code DescriptorStatusResolver} shows the arithmetic of statuses.
 */
@NullMarked
package dev.weir.server.envoy;

import org.jspecify.annotations.NullMarked;
