/** A pattern that matches exactly the text: `RegExp.escape`, which Node 22 does not have. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
