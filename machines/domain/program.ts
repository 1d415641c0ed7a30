/** A program that a tool starts without a shell: its words, with the arguments of a call in braces. */

/** Plain JSON: a fact of a tool. */
export interface ProgramFact {
  /** The program and its arguments. `{name}` stands for the value of an argument, `{{name}}` for `{name}` itself. */
  readonly argv: readonly string[];
  /** The folder in which it starts, relative to the workspace, without `.` and `..`. Absent: the workspace. */
  readonly folder?: string;
  /** Arguments that are paths relative to the workspace: the program gets them relative to its folder. */
  readonly paths?: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;

/** `{{name}}` or `{name}`. */
const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/** The names of the arguments in a word. */
export function argumentsIn(word: string): readonly string[] {
  return [...word.matchAll(placeholder)].flatMap(([, , name]) => name ?? []);
}

/** The argument that is the whole word, if it is one. */
export function wholeArgument(word: string): string | undefined {
  return /^\{(\w+)\}$/.exec(word)?.[1];
}

/**
 * The words of a call. A list that is a whole word becomes one word for each entry; a word with an argument that the call leaves
 * out is dropped.
 */
export function argvOf(program: ProgramFact, args: Args): readonly string[] {
  return program.argv.flatMap((word) => wordsOf(word, program, args));
}

/** The words that one word of the template becomes. */
export function wordsOf(word: string, program: ProgramFact, args: Args): readonly string[] {
  const value = (name: string): unknown => args[name] ?? undefined;
  const whole = value(wholeArgument(word) ?? '');
  if (Array.isArray(whole)) return whole.map(textOf);
  if (argumentsIn(word).some((name) => value(name) === undefined)) return [];
  const filled = word.replaceAll(placeholder, (_, literal?: string, name = '') =>
    literal === undefined ? shownAs(name, value(name), program) : `{${literal}}`,
  );
  return [filled];
}

function shownAs(name: string, value: unknown, {folder = '', paths = []}: ProgramFact): string {
  const text = textOf(value);
  if (folder === '' || !paths.includes(name)) return text;
  return `${'../'.repeat(folder.split('/').length)}${text}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const plainWord = /^[\w@%+:,./-]+$/;

/** Words that a shell does not take for a program. */
const shellWord =
  /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc)$/;

/** The words as a shell would have to get them: for people, and for the analysis of commands. */
export function commandText(argv: readonly string[]): string {
  return argv.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (plainWord.test(word) && !shellWord.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
