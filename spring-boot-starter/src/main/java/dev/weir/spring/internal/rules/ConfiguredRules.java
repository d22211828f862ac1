package dev.weir.spring.internal.rules;

import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RuleWatch;
import dev.weir.spring.internal.setting.InvalidSettingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;

/**
 * The rules that the application is configured with: in its properties, in a file that is followed
 * while the application runs, or in a resource of its class path. Closing it stops the watch.
 *
 * @param source where the rules come from, for people
 * @param watch reads the file again while the application runs; null without a file
 */
public record ConfiguredRules(LiveRules rules, String source, @Nullable RuleWatch watch)
    implements AutoCloseable {
  private static final String FILE_PROPERTY = "weir.rules-file";
  private static final String CLASS_PATH = "classpath:";
  private static final String FILE = "file:";

  /**
   * @param file of {@code weir.rules-file}; null if it is not set
   * @param interval how often the file is read
   */
  public static ConfiguredRules of(
      Environment environment, @Nullable String file, Duration interval) {
    RuleSet inProperties = PropertyRules.read(environment).orElse(null);
    if (file == null) {
      RuleSet first = inProperties == null ? RuleSet.empty() : inProperties;
      return new ConfiguredRules(new LiveRules(first), PropertyRules.PROPERTY, null);
    }
    if (inProperties != null) {
      throw new InvalidSettingException(FILE_PROPERTY, file, "must not be set beside weir.rules");
    }
    return file.startsWith(CLASS_PATH) ? fromClassPath(file) : followed(file, interval);
  }

  private static ConfiguredRules followed(String file, Duration interval) {
    String path = file.startsWith(FILE) ? file.substring(FILE.length()) : file;
    RuleWatch watch = RuleWatch.start(interval, Path.of(path));
    return new ConfiguredRules(watch.rules(), path, watch);
  }

  private static ConfiguredRules fromClassPath(String file) {
    ClassPathResource resource = new ClassPathResource(file.substring(CLASS_PATH.length()));
    if (!resource.exists()) {
      throw new InvalidSettingException(
          FILE_PROPERTY, file, "must be a file, or a resource that the class path has");
    }
    try (InputStream in = resource.getInputStream()) {
      RuleSet rules = RuleSet.parse(file, in.readAllBytes());
      return new ConfiguredRules(new LiveRules(rules), file, null);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
