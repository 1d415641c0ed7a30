/** Finds a name in code: in the code itself, or in a string or path, which a rename leaves unchanged. */

export interface NamePlace {
  readonly index: number;
  readonly line: number;
  readonly isRenamed: boolean;
  /** In a string, where only code embedded in the string is renamed. */
  readonly isQuoted: boolean;
}

const quoted = String.raw`"""[^]*?"""|'''[^]*?'''|(["'])(?:\\.|(?!\1)[^\\\n])*\1|${'`'}(?:\\.|[^\\${'`'}])*${'`'}`;
const hashComments = /^(?:Python|Ruby|Shell|Elixir|YAML|TOML)$/;
const prose = /^(?:other|Markdown|Text|HTML|XML|CSS)$/;
const embedded = /[$#]?\{[^{}\n]*\}|\\\([^()\n]*\)|\$\w+/g;

/** Comments count as code: names in them are renamed as well. In prose, and in an unknown language, there are no strings. */
export function namePlaces(language: string, text: string, name: RegExp): readonly NamePlace[] {
  const strings = prose.test(language) ? [] : stringsIn(text, hashComments.test(language));
  const within = (at: number) => strings.find(({start, end}) => start < at && at < end);
  return [...text.matchAll(name)].map(({index, 0: found}) => {
    const string = within(index);
    const isCode = string?.codes.some(({start, end}) => start <= index && index < end) ?? true;
    const isPath =
      text[index - 1] === '/' ||
      /^(?:\/|\.(?:[cm]?[jt]sx?|py|json|md)\b)/.test(text.slice(index + found.length));
    const line = text.slice(0, index).split('\n').length;
    return {index, line, isRenamed: isCode && !isPath, isQuoted: string !== undefined};
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function stringsIn(text: string, isHash: boolean): readonly (Span & {codes: readonly Span[]})[] {
  const comment = isHash ? '#.*' : String.raw`\/\/.*|\/\*[^]*?\*\/`;
  const found = [
    ...text.matchAll(new RegExp(`(?<comment>${comment})|${quoted.replaceAll('\\1', '\\2')}`, 'g')),
  ];
  return found
    .filter(({groups}) => groups?.['comment'] === undefined)
    .map(({index: start, 0: string}) => ({
      start,
      end: start + string.length,
      codes: [...string.matchAll(embedded)].map(({index, 0: code}) => spanOf(start + index, code)),
    }));
}

function spanOf(start: number, {length}: string): Span {
  return {start, end: start + length};
}
