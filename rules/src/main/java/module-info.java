/** Rule sets: which limits apply to a request, read from YAML and changed while running. */
module dev.weir.rules {
  requires transitive dev.weir.core;
  requires static org.jspecify;
  requires org.snakeyaml.engine;

  exports dev.weir.rules;
}
