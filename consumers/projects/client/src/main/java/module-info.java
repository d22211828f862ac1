/** Requires nothing but the module it is about. */
module example.client {
  requires dev.weir.client;
}
