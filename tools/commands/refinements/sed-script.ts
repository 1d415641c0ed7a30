/**
 * Reads a script of sed. Understood: commands that print, delete, substitute, insert and jump. Not understood: `e`, `w`, `R`, `s///e`,
 * `s///w`, which run programs and write files, and syntax that versions of sed read differently.
 */

export interface SedScript {
  /** Files that `r` reads. */
  readonly reads: readonly string[];
  /** Editing a file in place with it would delete most of the file. */
  readonly empties: boolean;
}

export interface SedFault {
  readonly why: string;
}

interface State {
  readonly text: string;
  at: number;
  /** For each open `{`: it and every enclosing block apply to most lines. */
  readonly blocks: boolean[];
  readonly reads: string[];
  empties: boolean;
}

/** Never throws, and takes time in proportion to the text. */
export function readSedScript(text: string): SedScript | SedFault {
  const state: State = {text, at: 0, blocks: [], reads: [], empties: text.startsWith('#n\n')};
  for (;;) {
    skip(state, /(?:[\s;]|#[^\n]*)*/y);
    if (state.at >= text.length) break;
    const why = readCommand(state);
    if (why !== undefined) return {why};
  }
  return state.blocks.length > 0
    ? {why: 'has an open {'}
    : {reads: state.reads, empties: state.empties};
}

/** Returns the text that matches at the current position, and advances past it. */
function skip(state: State, form: RegExp): string | undefined {
  form.lastIndex = state.at;
  const found = form.exec(state.text)?.[0];
  if (found !== undefined) state.at += found.length;
  return found;
}

function readCommand(state: State): string | undefined {
  if (skip(state, /\}/y) !== undefined)
    return state.blocks.pop() === undefined
      ? 'closes a block that is not open'
      : missCommandEnd(state);
  const isBroad = readAddresses(state);
  if (isBroad === undefined) return 'has an address that is not known';
  const command = state.text.charAt(state.at);
  state.at += 1;
  const most = isBroad && (state.blocks.at(-1) ?? true);
  if (command === '{') {
    state.blocks.push(most);
    return undefined;
  }
  return readVerb(state, command, most);
}

/** True: the address may select most lines; undefined: not understood. */
function readAddresses(state: State): boolean | undefined {
  const first = readAddress(state);
  if (!first) return true;
  const last = skip(state, /[ \t]*,[ \t]*/y) === undefined ? undefined : readLast(state);
  if (first === 'unclear' || last === 'unclear') return undefined;
  const isNegated = (skip(state, /[ \t]*!?[ \t]*/y) ?? '').includes('!');
  return isNegated || first.isBroad || (last !== undefined && isBroadUpTo(first, last));
}

function isBroadUpTo(first: Address, last: Address): boolean {
  return last.isBroad || (first.isStart === true && last.isEnd === true);
}

function readLast(state: State): Address | 'unclear' {
  if (skip(state, /[+~]\d+/y) !== undefined) return {isBroad: false};
  return readAddress(state) ?? 'unclear';
}

interface Address {
  readonly isBroad: boolean;
  /** It selects the first lines. */
  readonly isStart?: boolean;
  /** It selects the last line, or one far away. */
  readonly isEnd?: boolean;
}

function readAddress(state: State): Address | 'unclear' | undefined {
  const line = skip(state, /\d+(?:~\d+)?/y);
  if (line !== undefined) {
    return {isBroad: line.includes('~'), isStart: Number(line) < 10, isEnd: Number(line) > 999};
  }
  if (skip(state, /\$/y) !== undefined) return {isBroad: false, isEnd: true};
  if (skip(state, /\/|\\(?=[^\w\s\\;{}])/y) === undefined) return undefined;
  const isSlash = state.text.charAt(state.at - 1) === '/';
  const delimiter = isSlash ? '/' : state.text.charAt(state.at);
  if (!isSlash) state.at += 1;
  const regex = readPart(state, delimiter);
  if (regex === undefined || isOpen(regex)) return 'unclear';
  skip(state, /[IM]*/y);
  return {isBroad: regex === '' || !hasLiteral(regex)};
}

const simple = /[=lnNpPhHGF]/;

const removing = /[dDzgx]/;

function readVerb(state: State, verb: string, isMost: boolean): string | undefined {
  if (simple.test(verb)) return missCommandEnd(state);
  if (removing.test(verb)) {
    state.empties ||= isMost;
    return missCommandEnd(state);
  }
  if (/[qQ]/.test(verb)) {
    state.empties = true;
    skip(state, /[ \t]*\d*/y);
    return missCommandEnd(state);
  }
  if (/[aic]/.test(verb)) {
    state.empties ||= verb === 'c' && isMost;
    skip(state, /(?:[^\\\n]|\\[^])*/y);
    return undefined;
  }
  if (/[btT:]/.test(verb)) {
    skip(state, /[ \t]*[\w.-]*/y);
    return missCommandEnd(state);
  }
  return readLonger(state, verb, isMost);
}

function readLonger(state: State, verb: string, isMost: boolean): string | undefined {
  if (verb === 'r') {
    const name = skip(state, /[^\n]*/y)?.trim();
    if (name) state.reads.push(name);
    return undefined;
  }
  if (verb === 's' || verb === 'y') return readSubstitution(state, verb, isMost);
  return `has the command ${JSON.stringify(verb)}`;
}

function readSubstitution(state: State, verb: string, isMost: boolean): string | undefined {
  const delimiter = skip(state, /[^\w\s\\;{}]/y) ?? '';
  const regex = readPart(state, delimiter);
  const replacement = readPart(state, delimiter);
  if (regex === undefined || replacement === undefined) return `has an ${verb} that is not closed`;
  if (verb === 'y') return missCommandEnd(state);
  if (isOpen(regex)) return 'has an s whose end depends on the version of sed';
  skip(state, /[gpiImM\d]*/y);
  state.empties ||= isMost && isAnything(regex) && !/&|\\\d/.test(replacement);
  return missCommandEnd(state);
}

/** Reads up to the delimiter and advances past it. */
function readPart(state: State, delimiter: string): string | undefined {
  const from = state.at;
  for (; state.at < state.text.length; state.at += 1) {
    const char = state.text.charAt(state.at);
    if (char === delimiter) {
      state.at += 1;
      return state.text.slice(from, state.at - 1);
    }
    if (char === '\n') return undefined;
    if (char === '\\') state.at += 1;
  }
  return undefined;
}

function missCommandEnd(state: State): string | undefined {
  skip(state, /[ \t]*/y);
  const rest = state.text.charAt(state.at);
  return /^[;\n}#]?$/.test(rest) ? undefined : `continues with ${JSON.stringify(rest)}`;
}

/** Some versions read a delimiter in brackets as a character. */
function isOpen(regex: string): boolean {
  return /\[\^?\]?[^\]]*$/.test(regex.replaceAll(/\\[^]/g, ''));
}

/** It requires some literal text in a line. */
function hasLiteral(regex: string): boolean {
  return /[\p{L}\d_"'#<>:;,@!%&=/-]/u.test(regex.replaceAll(/\\[^\\/.]|\[[^\]]*\]|\{[^}]*\}/g, ''));
}

function isAnything(regex: string): boolean {
  return regex.includes('.') && !hasLiteral(regex.replaceAll(/\\./g, 'x'));
}
