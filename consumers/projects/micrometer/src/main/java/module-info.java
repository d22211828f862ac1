/** Requires nothing but the module it is about. */
module example.micrometer {
  requires dev.weir.micrometer;
}
