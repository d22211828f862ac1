/** A server interceptor for grpc-java. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // grpc-java and its messages have no module descriptors of their own
module dev.weir.grpc {
  requires transitive dev.weir.http;
  requires transitive io.grpc;
  requires com.google.protobuf;
  requires io.grpc.protobuf;
  requires proto.google.common.protos;
  requires static org.jspecify;

  exports dev.weir.grpc;
}
