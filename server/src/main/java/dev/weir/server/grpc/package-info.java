/**
 * Envoy's rate-limit protocol over gRPC: the server, and the client of control planes that rules
 * come from.
 *
 * <p>Start at {@link dev.weir.server.grpc.GrpcServer}. {@code RateLimitEndpoint} answers calls on
 * the event loop that they arrive on; {@code RateLimitMessages} translates. {@code XdsRules}
 * follows a control plane. The messages are generated from {@code src/main/protobuf}.
 */
@NullMarked
package dev.weir.server.grpc;

import org.jspecify.annotations.NullMarked;
