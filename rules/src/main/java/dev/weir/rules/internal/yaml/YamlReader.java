package dev.weir.rules.internal.yaml;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document from bytes that may be anything: too many, not text, not YAML.
 *
 * <p>Text is checked before it is parsed, because the parser's messages about binary data do not
 * help.
 */
public final class YamlReader {
  /** Some 100,000 rules. More is a mistake, or an attack on memory. */
  public static final int MAX_BYTES = 16 << 20;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private YamlReader() {}

  /** The document, or null with the reason added to the faults. */
  public static @Nullable YamlNode read(String file, byte[] bytes, FaultCollector faults) {
    if (bytes.length > MAX_BYTES) {
      faults.add(
          SourcePosition.start(file), "a file must be at most " + MAX_BYTES + " bytes, was longer");
      return null;
    }
    String text = decode(file, bytes, faults);
    return text == null || hasControls(file, text, faults)
        ? null
        : new YamlTreeBuilder(file, faults).build(text);
  }

  private static @Nullable String decode(String file, byte[] bytes, FaultCollector faults) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // reports, never replaces
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      String found = String.format("was byte 0x%02x", bytes[in.position()]);
      faults.add(placeAfter(file, text), "a file must be text in UTF-8, " + found);
      return null;
    }
    return text.indexOf(BYTE_ORDER_MARK) == 0 ? text.substring(1) : text;
  }

  private static boolean hasControls(String file, String text, FaultCollector faults) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t') {
        faults.add(
            placeAfter(file, text.substring(0, i)),
            String.format("a file must be text, was control character U+%04X", (int) c));
        return true;
      }
    }
    return false;
  }

  private static SourcePosition placeAfter(String file, String text) {
    int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
    int lineStart = text.lastIndexOf('\n') + 1;
    return new SourcePosition(file, line, text.codePointCount(lineStart, text.length()) + 1);
  }
}
