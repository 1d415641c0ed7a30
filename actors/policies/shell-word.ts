/** Reads one shell word: its quotes, and the commands inside its expansions. */

import {enter, type Reader, readNested, stop, type Word, type WordDraft} from './shell-reader.ts';

export function readWord(reader: Reader): Word {
  const word = newWord();
  const start = reader.at;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (/[<>]/.test(char) && reader.text.charAt(reader.at + 1) === '(') {
      readSubstitution(reader, word);
    } else if (/[ \t\n;&|<>()]/.test(char)) {
      break;
    } else {
      readPart(reader, word, char);
    }
  }
  if (reader.at === start) reader.at += 1;
  return word;
}

function newWord(): WordDraft {
  return {text: '', computed: false, substituted: false, pattern: false, quoted: false};
}

function readPart(reader: Reader, word: WordDraft, char: string): void {
  if (char === "'") return readSingle(reader, word);
  if (char === '"') return readDouble(reader, word);
  if (char === '`') return readBackticks(reader, word);
  if (char === '$') return readDollar(reader, word, false);
  if (char === '\\') {
    const next = reader.text.charAt(reader.at + 1);
    word.text += next === '\n' ? '' : next;
    word.quoted = true;
    reader.at += 2;
    return;
  }
  if (/[*?[{]/.test(char)) word.pattern = true;
  word.text += char;
  reader.at += 1;
}

function readSingle(reader: Reader, word: WordDraft): void {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end < 0) return stop(reader, "has a ' that is never closed");
  word.text += reader.text.slice(reader.at + 1, end);
  word.quoted = true;
  reader.at = end + 1;
}

function readDouble(reader: Reader, word: WordDraft): void {
  word.quoted = true;
  reader.at += 1;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === '"') {
      reader.at += 1;
      return;
    }
    if (char === '$') readDollar(reader, word, true);
    else if (char === '`') readBackticks(reader, word);
    else readQuoted(reader, word);
  }
  stop(reader, 'has a " that is never closed');
}

/** One character between double quotes, where a backslash escapes only these. */
function readQuoted(reader: Reader, word: WordDraft): void {
  const escape = /^\\[$`"\\\n]/.exec(reader.text.slice(reader.at, reader.at + 2))?.[0];
  if (escape === undefined) word.text += reader.text.charAt(reader.at);
  else if (escape !== '\\\n') word.text += escape.charAt(1);
  reader.at += escape?.length ?? 1;
}

function readDollar(reader: Reader, word: WordDraft, quoted: boolean): void {
  const ahead = reader.text.slice(reader.at, reader.at + 80);
  if (ahead.startsWith('$((') && readArithmetic(reader, word)) return;
  if (ahead.startsWith('$(')) return readSubstitution(reader, word);
  if (ahead.startsWith('${')) return readBraced(reader, word, quoted);
  if (!quoted && ahead.startsWith("$'")) return readAnsi(reader, word);
  const name = /^\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/.exec(ahead)?.[0];
  if (name !== undefined) word.computed = true;
  const taken = name ?? '$';
  word.text += taken;
  reader.at += taken.length;
}

/** `$(…)`, `<(…)` and `>(…)`: the opening mark is two characters long. */
function readSubstitution(reader: Reader, word: WordDraft): void {
  const start = reader.at;
  reader.at += 2;
  readNested(reader, true, false);
  word.text += reader.text.slice(start, reader.at);
  word.computed = true;
  word.substituted = true;
}

/** `$((…))`, where only expansions can run anything. False when it turns out to be a command after all. */
function readArithmetic(reader: Reader, word: WordDraft): boolean {
  let open = 2;
  let end = reader.at + 3;
  while (end < reader.text.length && open > 0) {
    const char = reader.text.charAt(end);
    if (char === '(') open += 1;
    if (char === ')') open -= 1;
    if (open === 1 && char === ')' && reader.text.charAt(end + 1) !== ')') return false;
    end += 1;
  }
  if (open > 0 || /['"\\#]/.test(reader.text.slice(reader.at, end))) return false;
  readExpansions(reader, reader.text.slice(reader.at + 3, end - 2), word);
  word.text += reader.text.slice(reader.at, end);
  word.computed = true;
  reader.at = end;
  return true;
}

/** Text in which only expansions count: an arithmetic expression, the body of a here-document. */
export function readExpansions(reader: Reader, text: string, word: WordDraft = newWord()): void {
  const inner: Reader = {...reader, text, at: 0, heredocs: []};
  while (inner.at < text.length) {
    const char = text.charAt(inner.at);
    if (char === '$') readDollar(inner, word, true);
    else if (char === '`') readBackticks(inner, word);
    else inner.at += char === '\\' ? 2 : 1;
  }
}

/** Between double quotes, shells differ in what a single quote inside the braces means. */
function readBraced(reader: Reader, word: WordDraft, quoted: boolean): void {
  const start = reader.at;
  const inside = newWord();
  reader.at += 2;
  enter(reader);
  while (reader.at < reader.text.length && reader.text.charAt(reader.at) !== '}') {
    const char = reader.text.charAt(reader.at);
    if (quoted && char === "'") return stop(reader, "has a ' inside ${ } inside double quotes");
    readPart(reader, inside, char);
  }
  if (reader.at >= reader.text.length) return stop(reader, 'has a ${ that is never closed');
  reader.depth -= 1;
  reader.at += 1;
  word.text += reader.text.slice(start, reader.at);
  word.computed = true;
  word.substituted ||= inside.substituted;
}

function readBackticks(reader: Reader, word: WordDraft): void {
  const whole = /^`((?:[^`\\]|\\[^])*)`/.exec(reader.text.slice(reader.at));
  if (!whole) return stop(reader, 'has a ` that is never closed');
  const text = (whole[1] ?? '').replaceAll(/\\([`$\\])/g, '$1');
  readNested({...reader, text, at: 0, heredocs: []}, false, false);
  word.text += whole[0];
  word.computed = true;
  word.substituted = true;
  reader.at += whole[0].length;
}

const ansiEscape = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,6})|([0-7]{1,3})|([^]))/gi;
const ansiLetters: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r', e: '\u001b'};

/** `$'…'`: its escapes are decoded, so that a name can't hide behind them. Plain `sh` ends it at any quote. */
function readAnsi(reader: Reader, word: WordDraft): void {
  const whole = /^\$'((?:[^'\\]|\\[^])*)'/.exec(reader.text.slice(reader.at));
  if (!whole) return stop(reader, "has a $' that is never closed");
  const inside = whole[1] ?? '';
  if (inside.includes("\\'")) return stop(reader, "has an escaped ' inside $' '");
  word.text += inside.replaceAll(
    ansiEscape,
    (_all, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return fromCode(Number.parseInt(digits, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
      return ansiLetters[letter ?? ''] ?? letter ?? '';
    },
  );
  word.quoted = true;
  reader.at += whole[0].length;
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
