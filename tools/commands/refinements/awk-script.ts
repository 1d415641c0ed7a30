/**
 * Reads an awk program to detect that it only reads its files and prints. Otherwise it returns the reason: the program runs programs
 * (`system`, pipes), reads or writes files of its own (`getline`, `>`), sees the environment, changes which files are read, or is
 * ambiguous.
 */

const reaching =
  /@|\b(?:system|getline|close|ENVIRON|PROCINFO|ARGV|ARGC|ARGIND|SYMTAB|FUNCTAB|extension)\b/;

/** A token before a `/` that divides. */
const operand = /^(?:[\w\])$."]|\+\+|--)/;

const depths = new Map([
  ['(', 1],
  ['[', 1],
  [')', -1],
  [']', -1],
]);

const keywords = new Set(['print', 'printf', 'return', 'in', 'do', 'else', 'case', 'exit']);

interface State {
  readonly text: string;
  at: number;
  /** The previous token, `''` at the beginning of a statement. */
  before: string;
  /** The number of open brackets. */
  depth: number;
  isPrint: boolean;
}

/** Undefined: it only reads and prints. Never throws. */
export function awkFault(text: string): string | undefined {
  const reach = reaching.exec(text)?.[0];
  if (reach !== undefined) return `has ${reach}`;
  const state: State = {text, at: 0, before: '', depth: 0, isPrint: false};
  while (state.at < text.length) {
    const why = readToken(state);
    if (why !== undefined) return why;
  }
  return undefined;
}

function readToken(state: State): string | undefined {
  if (take(state, /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y) !== undefined) return undefined;
  if (take(state, /[;\n{}]/y) !== undefined) {
    state.before = '';
    state.isPrint = false;
    return undefined;
  }
  const char = state.text.charAt(state.at);
  if (char === '"') return readString(state);
  if (char === '/') return readSlash(state);
  return char === '>' || char === '|' ? readArrow(state) : readOther(state);
}

const other = /[A-Za-z_]\w*|[\d.]+(?:[eE][-+]?\d+)?|\+\+|--|&&|[-+*%^!=<~?:,$()[\]]/y;

function readOther(state: State): string | undefined {
  const token = take(state, other);
  if (token === undefined) return `has ${JSON.stringify(state.text.charAt(state.at))}`;
  state.isPrint ||= token === 'print' || token === 'printf';
  state.depth += depths.get(token) ?? 0;
  state.before = keywords.has(token) ? '' : token;
  return undefined;
}

function take(state: State, form: RegExp): string | undefined {
  form.lastIndex = state.at;
  const found = form.exec(state.text)?.[0];
  if (found === undefined || found === '') return undefined;
  state.at += found.length;
  return found;
}

function readString(state: State): string | undefined {
  state.before = '"';
  return take(state, /"(?:[^"\\\n]|\\[^])*"/y) === undefined
    ? 'has a text that is not closed'
    : undefined;
}

function readSlash(state: State): string | undefined {
  const {text, at, before} = state;
  if (operand.test(before)) {
    state.at += 1;
    state.before = '/';
    const isEither = before === ')' && /^[^\n]*\//.test(text.slice(at + 1));
    return isEither ? 'divides, or has an expression: it is unclear which' : undefined;
  }
  const regex = take(state, /\/(?:[^/\\\n]|\\.)+\//y);
  if (regex === undefined) return 'has an expression that is not closed';
  state.before = ')';
  const isOpen = /\[\^?\]?[^\]]*$/.test(regex.slice(1, -1).replaceAll(/\\./g, ''));
  return isOpen ? 'has an expression whose end depends on the version of awk' : undefined;
}

/** A comparison, `||`, or output to the terminal. */
function readArrow(state: State): string | undefined {
  const either = take(state, /\|\||>=/y);
  const isWritten = state.isPrint && state.depth <= 0;
  state.before = '>';
  if (either === '||' || (either !== undefined && !isWritten)) return undefined;
  if (either === undefined && state.text.charAt(state.at) === '|') return 'has a pipe';
  if (isWritten) {
    const known = take(state, />>?[ \t]*"\/dev\/std(?:err|out)"[ \t]*(?=[;}\n]|$)/y);
    return known === undefined ? 'prints into a file' : undefined;
  }
  return take(state, />(?!>)/y) === undefined ? 'has a >>' : undefined;
}
