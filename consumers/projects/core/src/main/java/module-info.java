/** Requires nothing but the module it is about. */
module example.core {
  requires dev.weir.core;
}
