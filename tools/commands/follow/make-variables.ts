/** Variables of a Makefile, and the expansion of texts that use them. Computed values are unknown. */

export interface Expansion {
  /** Undefined: unknown. */
  readonly text: string | undefined;
  /** Expanding it may run something: `$(shell …)`. */
  readonly runs: boolean;
}

/** The raw value of a variable; undefined: unknown. */
export type Variables = ReadonlyMap<string, string | undefined>;

/** The values of `$@`, `$<` and `$^` in a recipe. */
export type Automatic = Readonly<Record<string, string>>;

/** The built-in variables of `make`. */
const builtIn: Readonly<Record<string, string>> = {
  CC: 'cc',
  CXX: 'g++',
  MAKE: 'make',
  RM: 'rm -f',
  SHELL: '/bin/sh',
};

/** Functions that only compute words and look at files. */
const harmless =
  /^(?:wildcard|patsubst|subst|notdir|dir|basename|suffix|addprefix|addsuffix|join|filter|filter-out|sort|word|words|wordlist|firstword|lastword|strip|findstring|abspath|realpath)$/;

const maxLength = 30_000;
const maxSteps = 1_000;

export function expandMake(
  raw: string,
  variables: Variables,
  automatic: Automatic = {},
): Expansion {
  return expandIn(raw, {variables, automatic, around: [], budget: {left: maxSteps}});
}

interface Around {
  readonly variables: Variables;
  readonly automatic: Automatic;
  /** Variables whose values are being expanded. */
  readonly around: readonly string[];
  readonly budget: {left: number};
}

function expandIn(raw: string, around: Around): Expansion {
  let text: string | undefined = '';
  let runs = false;
  for (const piece of piecesOf(raw)) {
    const is = piece.startsWith('$') ? expandPiece(piece, around) : {text: piece, runs: false};
    const whole: string | undefined =
      text === undefined || is.text === undefined ? undefined : text + is.text;
    text = whole !== undefined && whole.length > maxLength ? undefined : whole;
    runs = runs || is.runs;
  }
  return {text, runs};
}

/** Texts without a `$`, and references: `$$`, `$x`, `$(…)` up to the bracket that closes it. */
function piecesOf(raw: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < raw.length;) {
    const end = raw[at] === '$' ? endOfReference(raw, at) : endOfText(raw, at);
    pieces.push(raw.slice(at, end));
    at = end;
  }
  return pieces;
}

function endOfText(raw: string, start: number): number {
  const next = raw.indexOf('$', start);
  return next < 0 ? raw.length : next;
}

function endOfReference(raw: string, start: number): number {
  const open = raw[start + 1];
  const close = open === '(' ? ')' : open === '{' ? '}' : undefined;
  if (close === undefined) return start + 2;
  let depth = 0;
  for (let at = start + 1; at < raw.length; at += 1) {
    if (raw[at] === open) depth += 1;
    if (raw[at] === close) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return raw.length;
}

const notKnown: Expansion = {text: undefined, runs: false};
const mayRun: Expansion = {text: undefined, runs: true};

function expandPiece(piece: string, around: Around): Expansion {
  if (piece === '$$') return {text: '$', runs: false};
  around.budget.left -= 1;
  if (around.budget.left < 0) return mayRun;
  const inner = /^\$[({]([^]*)[)}]$/.exec(piece)?.[1] ?? piece.slice(1);
  const value = around.automatic[inner];
  if (value !== undefined) return {text: value, runs: false};
  if (/^[A-Za-z_][\w.-]*$/.test(inner)) return expandVariable(inner, around);
  if (/^[@<^+*?%|]$|^[@<^+*?%][DF]$/.test(inner)) return notKnown;
  return expandCall(inner, around);
}

function expandVariable(name: string, around: Around): Expansion {
  const {variables} = around;
  const raw = variables.has(name) ? variables.get(name) : builtIn[name];
  if (raw === undefined || around.around.includes(name)) return notKnown;
  return expandIn(raw, {...around, around: [...around.around, name]});
}

/** `$(wildcard src/*.c)`, `$(SOURCES:.c=.o)`: unknown. Any other call may run something. */
function expandCall(inner: string, around: Around): Expansion {
  const [, name = '', rest = ''] = /^([\w-]+)(?:\s+|:(?=[^=]*=))([^]*)$/.exec(inner) ?? [];
  const isReference = !/^[\w-]+\s/.test(inner);
  const named = isReference && name !== '' ? expandVariable(name, around) : notKnown;
  const isHarmless = isReference ? name !== '' : harmless.test(name);
  return isHarmless ? {...notKnown, runs: named.runs || expandIn(rest, around).runs} : mayRun;
}
