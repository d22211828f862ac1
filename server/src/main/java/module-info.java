/** The service: one engine for everything that is not Java. */
@SuppressWarnings("requires-automatic") // Micrometer's registry has only a name
module dev.weir.server {
  requires dev.weir.core;
  requires transitive dev.weir.http;
  requires dev.weir.micrometer;
  requires transitive dev.weir.redis;
  requires dev.weir.rules;
  requires java.logging;
  requires java.management;
  requires jdk.management;
  requires com.fasterxml.jackson.core;
  requires com.google.common;
  requires com.google.protobuf;
  requires io.grpc;
  requires io.grpc.netty;
  requires io.grpc.protobuf;
  requires io.grpc.services;
  requires io.grpc.stub;
  requires io.grpc.util;
  requires io.netty.buffer;
  requires io.netty.codec.http2;
  requires io.netty.handler;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.vertx.core;
  requires micrometer.registry.prometheus;
  requires static org.jspecify;

  exports dev.weir.server;
}
