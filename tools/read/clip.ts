/** Cuts a text of a file to a size in bytes. */

/** The text, or its beginning with a note of the full length, in at most `maxBytes`. */
export function clip(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const note = `\n[cut: ${bytes.length} bytes in all]`;
  const kept = bytes.subarray(0, Math.max(0, maxBytes - note.length)).toString('utf8');
  return `${kept.replace(/\ufffd+$/, '')}${note}`.slice(0, Math.max(0, maxBytes));
}
