/** Requires nothing but the module it is about. */
module example.rest {
  requires dev.weir.rest;
}
