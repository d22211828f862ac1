/** The testkit has only a name, so the core is required besides. */
module example.testkit {
  requires dev.weir.core;
  requires dev.weir.testkit;
}
