/** Requires nothing but the module it is about. */
module example.remote {
  requires dev.weir.remote;
}
