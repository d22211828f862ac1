/** Requires nothing but the module it is about. */
module example.rules {
  requires dev.weir.rules;
}
