/** Requires nothing but the module it is about. */
module example.http {
  requires dev.weir.http;
}
