package dev.weir.cli.ruletest;

import dev.weir.cli.ruletest.TestResult.FailedStep;
import dev.weir.internal.text.PrintableText;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The results in the XML format of JUnit, which build servers show: one suite per file. */
final class JunitReport {
  private final XMLStreamWriter xml;

  private JunitReport(XMLStreamWriter xml) {
    this.xml = xml;
  }

  static String of(List<TestResult> results) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      new JunitReport(xml).write(results);
      xml.close();
    } catch (XMLStreamException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text.append('\n').toString();
  }

  private void write(List<TestResult> results) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    start("testsuites", "name", "weir test");
    counts(results);
    Map<String, List<TestResult>> byFile = new LinkedHashMap<>();
    for (TestResult result : results) {
      byFile.computeIfAbsent(result.test().at().file(), file -> new ArrayList<>()).add(result);
    }
    for (Map.Entry<String, List<TestResult>> suite : byFile.entrySet()) {
      write(suite.getKey(), suite.getValue());
    }
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void write(String file, List<TestResult> results) throws XMLStreamException {
    start("testsuite", "name", file);
    counts(results);
    attribute("time", "0"); // the clock is virtual
    for (TestResult result : results) {
      write(file, result);
    }
    xml.writeEndElement();
  }

  private void write(String file, TestResult result) throws XMLStreamException {
    start("testcase", "name", result.test().name());
    attribute("classname", file);
    attribute("file", file);
    attribute("line", Integer.toString(result.test().at().line()));
    attribute("time", "0");
    for (FailedStep failed : result.failures()) {
      start("failure", "message", FailureText.summary(failed));
      attribute("type", "difference");
      xml.writeCharacters(
          FailureText.lines(failed).stream()
              .map(PrintableText::of)
              .collect(Collectors.joining("\n", "\n", "\n")));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private void counts(List<TestResult> results) throws XMLStreamException {
    long failed = results.stream().filter(result -> !result.passed()).count();
    attribute("tests", Integer.toString(results.size()));
    attribute("failures", Long.toString(failed));
    attribute("errors", "0");
    attribute("skipped", "0");
  }

  private void start(String element, String name, String value) throws XMLStreamException {
    xml.writeStartElement(element);
    attribute(name, value);
  }

  /** XML has no way to write most control characters. */
  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, PrintableText.of(value));
  }
}
