/**
 * A server interceptor for grpc-java. Start reading at {@link dev.weir.grpc.WeirInterceptor}; what
 * it decides is {@link dev.weir.http.HttpLimiter}'s, because a call of gRPC is a request of HTTP/2.
 */
@NullMarked
package dev.weir.grpc;

import org.jspecify.annotations.NullMarked;
