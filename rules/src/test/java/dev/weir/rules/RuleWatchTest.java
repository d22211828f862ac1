package dev.weir.rules;

import static dev.weir.rules.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Every poll of the files is made by hand, but for the one test of the thread that does it. */
final class RuleWatchTest implements RuleListener {
  @TempDir private Path folder;
  private Path file;
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void writeFirst() throws IOException {
    file = Files.writeString(folder.resolve("weir.yaml"), rules(1));
  }

  @Override
  public void replaced(RuleSet rules) {
    told.add("replaced by " + permits(rules));
  }

  @Override
  public void refused(InvalidRulesException why) {
    told.add(why.getMessage().replace(folder + "/", ""));
  }

  @Test
  void aFileWrittenInPlaceTakesEffectWhenTwoLooksAgree() throws IOException {
    RuleWatch watch = watch(file);
    Files.writeString(file, rules(2));
    watch.poll();
    assertThat(permits(watch)).isEqualTo(1);
    watch.poll();
    assertThat(permits(watch)).isEqualTo(2);
    watch.poll();
    assertThat(told).containsExactly("replaced by 2");
  }

  @Test
  void aFileReplacedByRenameTakesEffect() throws IOException {
    RuleWatch watch = watch(file);
    Path beside = Files.writeString(folder.resolve("weir.yaml.new"), rules(2));
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(2);
  }

  /** As Kubernetes updates a mounted ConfigMap: weir.yaml -> ..data/weir.yaml, ..data -> ..v1. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aTurnedSymbolicLinkTakesEffect() throws IOException {
    Path mount = Files.createDirectory(folder.resolve("mount"));
    for (int version = 1; version <= 2; version++) {
      Path data = Files.createDirectory(mount.resolve("..v" + version));
      Files.writeString(data.resolve("weir.yaml"), rules(version));
    }
    Path data = Files.createSymbolicLink(mount.resolve("..data"), Path.of("..v1"));
    Path link =
        Files.createSymbolicLink(mount.resolve("weir.yaml"), Path.of("..data", "weir.yaml"));
    for (RuleWatch watch : List.of(watch(link), watch(mount))) {
      turn(data, "..v2");
      lookTwice(watch);
      assertThat(permits(watch)).isEqualTo(2);
      turn(data, "..v1");
      lookTwice(watch);
      assertThat(permits(watch)).isEqualTo(1);
    }
  }

  private static void turn(Path link, String target) throws IOException {
    Path next = link.resolveSibling("..data_tmp");
    Files.createSymbolicLink(next, Path.of(target));
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** FAULTS 38: a beginning of a file can be rules, too. */
  @Test
  void aFileThatIsStillBeingWrittenIsLeftAlone() throws IOException {
    RuleWatch watch = watch(file);
    String whole = rules(2) + rules(3).replace("rules:\n", "").replace("name: r", "name: r3");
    for (int written = 0; written <= whole.length(); written++) {
      Files.writeString(file, whole.substring(0, written));
      watch.poll();
      assertThat(permits(watch)).isEqualTo(1);
    }
    watch.poll();
    assertThat(watch.rules().get().names()).containsExactly("r", "r3");
    assertThat(told).containsExactly("replaced by 2");
  }

  /** FAULTS 37. */
  @Test
  void aFaultyVersionIsRefusedWholeAndOnceAndTheOldRulesStay() throws IOException {
    RuleWatch watch = watch(file);
    Files.writeString(file, rules(2) + "colour: blue\n");
    lookTwice(watch);
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(1);
    assertThat(told)
        .containsExactly(
            "weir.yaml:4:1: key \"colour\" is unknown in a rules file, expected one of store,"
                + " rules, domains");
    Files.writeString(file, rules(3));
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(3);
  }

  @Test
  void anEmptyOrMissingFileIsRefused() throws IOException {
    RuleWatch watch = watch(file);
    Files.writeString(file, "");
    lookTwice(watch);
    Files.delete(file);
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(1);
    assertThat(told)
        .containsExactly(
            "weir.yaml:1:1: a file must not be empty",
            "weir.yaml:1:1: cannot read weir.yaml: there is no such file");
  }

  @Test
  void aChangeThatIsTakenBackChangesNothing() throws IOException {
    RuleWatch watch = watch(file);
    Files.writeString(file, rules(2));
    watch.poll();
    Files.writeString(file, rules(1));
    lookTwice(watch);
    assertThat(told).isEmpty();
  }

  @Test
  void aChangeIsSeenThoughSizeAndTimeStayTheSame() throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    RuleWatch watch = watch(file);
    Files.writeString(file, rules(2));
    Files.setLastModifiedTime(file, time);
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(2);
  }

  @Test
  void aFileWithOverridesIsWatchedToo() throws IOException {
    Path overrides = Files.writeString(folder.resolve("tenants"), "a: 7 per day\n");
    Files.writeString(file, rules(1).replace("}]", ", overrides-file: tenants}]"));
    RuleWatch watch = watch(file);
    assertThat(permits(watch)).isEqualTo(7);
    Files.writeString(overrides, "a: 8 per day\n");
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(8);
    Files.writeString(overrides, "a: 8 per dya\n");
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(8);
    assertThat(told)
        .hasSize(2)
        .last()
        .asString()
        .startsWith("tenants:1:4: a file with overrides must be");
  }

  @Test
  void aNewFileWithOverridesIsLookedAtTwiceBeforeItCounts() throws IOException {
    RuleWatch watch = watch(file);
    Path overrides = Files.writeString(folder.resolve("tenants"), "");
    Files.writeString(file, rules(1).replace("}]", ", overrides-file: tenants}]"));
    lookTwice(watch);
    Files.writeString(overrides, "a: 7 per day\n");
    lookTwice(watch);
    assertThat(permits(watch)).isEqualTo(7);
    assertThat(told).containsExactly("replaced by 7");
  }

  @Test
  void aFileThatJoinsADirectoryTakesEffect() throws IOException {
    RuleWatch watch = watch(folder);
    Files.writeString(folder.resolve("more.yml"), rules(5).replace("name: r", "name: more"));
    lookTwice(watch);
    assertThat(watch.rules().get().names()).containsExactly("more", "r");
  }

  @Test
  void faultyRulesAreNoBeginning() throws IOException {
    Files.writeString(file, "rules: []");
    assertThatThrownBy(() -> RuleWatch.start(file)).isInstanceOf(InvalidRulesException.class);
  }

  @Test
  void aThreadLooksUntilTheWatchIsClosedAndAListenerThatThrowsDoesNotEndIt() throws IOException {
    try (RuleWatch watch = RuleWatch.start(Duration.ofMillis(5), file)) {
      watch
          .rules()
          .listen(
              new RuleListener() {
                @Override
                public void replaced(RuleSet rules) {
                  throw new IllegalStateException("a listener's own fault");
                }
              });
      for (int version = 2; version <= 4; version++) {
        int expected = version;
        Path beside = Files.writeString(folder.resolve("new"), rules(version));
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        await().until(() -> permits(watch) == expected);
      }
    }
  }

  private RuleWatch watch(Path path) {
    RuleWatch watch = new RuleWatch(List.of(path));
    watch.rules().listen(this);
    return watch;
  }

  private static void lookTwice(RuleWatch watch) {
    watch.poll();
    watch.poll();
  }

  private static String rules(int permits) {
    return "rules:\n  - name: r\n    limits: [{name: n, key: user, limit: "
        + permits
        + " per day}]\n";
  }

  private static long permits(RuleWatch watch) {
    return permits(watch.rules().get());
  }

  private static long permits(RuleSet rules) {
    return rules.claims(request("user=a")).get(0).policy().limit().permits();
  }
}
