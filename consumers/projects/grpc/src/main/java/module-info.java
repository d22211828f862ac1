/** Requires nothing but the module it is about. */
module example.grpc {
  requires dev.weir.grpc;
}
