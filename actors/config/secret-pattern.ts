/** Undefined for what is no regular expression, and for one that matches where nothing is. */
export function trySecretPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u').test('') ? undefined : new RegExp(pattern, 'gu');
  } catch {
    return undefined;
  }
}
