/** Returns undefined for an invalid regular expression and for one that matches the empty string. */
export function trySecretPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u').test('') ? undefined : new RegExp(pattern, 'gu');
  } catch {
    return undefined;
  }
}
