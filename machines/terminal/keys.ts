/** Keys and sequences of keys as text. */

export type Mode = 'insert' | 'normal' | 'visual' | 'command' | 'search';

export interface KeyBinding {
  readonly action: string;
  /** See {@link parseKeys}. */
  readonly keys: readonly string[];
  readonly modes: readonly Mode[];
}

/** The names of keys that type nothing, without modifiers. */
const named =
  /^(?:Esc|Enter|Tab|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Up|Down|Left|Right|F(?:[1-9]|1[0-2]))$/;

/** True for a key that types its own name. */
function isCharacter(key: string): boolean {
  return key === 'Space' || /^\P{C}$/u.test(key);
}

const maxKeys = 4;

/**
 * The keys of a sequence such as `gt`, `Ctrl-W h`, `Esc`: names are separated by blanks, characters stand together. Undefined if
 * it is none, or if it begins with a digit, which is a count, or has Ctrl-C, which always interrupts.
 */
export function parseKeys(text: string): readonly string[] | undefined {
  const keys = text.split(' ').flatMap((word) => {
    const key = tryKey(word);
    return key === undefined ? Array.from(word) : [key];
  });
  const isValid = keys.length <= maxKeys && keys.every((key) => tryKey(key) === key);
  return isValid && !/^[1-9]$/.test(keys[0] ?? '1') && !keys.includes('Ctrl-C') ? keys : undefined;
}

const modifiers = ['Ctrl-', 'Alt-', 'Shift-'];

/** Modifiers in one order; a letter after them is a capital one. */
function tryKey(word: string): string | undefined {
  if (isCharacter(word) || named.test(word)) return word;
  const [, before = '', key = ''] = /^((?:Ctrl-|Alt-|Shift-)+)(.+)$/.exec(word) ?? [];
  if (!named.test(key) && !isCharacter(key)) return undefined;
  const held = modifiers.filter((modifier) => before.includes(modifier)).join('');
  return held + (named.test(key) || key === 'Space' ? key : key.toUpperCase());
}

/** As {@link parseKeys} reads them. */
export function keysText(keys: readonly string[]): string {
  return keys.every((key) => key.length === 1) ? keys.join('') : keys.join(' ');
}

/** True for a single key that types nothing: only such a key has a meaning where text is typed. */
export function isSilent(keys: readonly string[]): boolean {
  const [key = '', ...more] = keys;
  return more.length === 0 && !isCharacter(key);
}

/** Of two sequences in the same mode, the shorter one must not be the beginning of the longer one: that would never be complete. */
export function clashIn(
  bindings: readonly KeyBinding[],
): readonly [KeyBinding, KeyBinding] | undefined {
  for (const [index, one] of bindings.entries()) {
    const other = bindings.slice(index + 1).find((each) => clashes(one, each));
    if (other) return [one, other];
  }
  return undefined;
}

function clashes(one: KeyBinding, other: KeyBinding): boolean {
  const isShared = one.modes.some((mode) => other.modes.includes(mode));
  const [short, long] = one.keys.length <= other.keys.length ? [one, other] : [other, one];
  return isShared && isPrefix(short.keys, long.keys);
}

export function isPrefix(start: readonly string[], keys: readonly string[]): boolean {
  return start.every((key, index) => key === keys[index]);
}
