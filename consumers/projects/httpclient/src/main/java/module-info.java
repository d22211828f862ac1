/** Requires nothing but the module it is about. */
module example.httpclient {
  requires dev.weir.httpclient;
}
