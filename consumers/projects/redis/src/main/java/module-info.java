/** Requires nothing but the module it is about. */
module example.redis {
  requires dev.weir.redis;
}
