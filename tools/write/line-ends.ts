/** Adapts the line ends of new text to those of the file. */

/**
 * `text` with CRLF for LF where `file` has no other line end than CRLF: models read and write LF. A text that has a CR of
 * its own stays as it is.
 */
export function withLineEndsOf(file: string, text: string): string {
  const isCrlf = file.includes('\r\n') && !/(?<!\r)\n/.test(file);
  return isCrlf && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
}
