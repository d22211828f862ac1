/** Requires nothing but the module it is about. */
module example.servlet {
  requires dev.weir.servlet;
}
