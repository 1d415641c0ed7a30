/** A call of `perl` with its code in the command: `perl -ne CODE FILE`, `perl -pi -e CODE FILE`. */

import type {Act, Invocation} from '../program.ts';
import {isSure} from '../refinements/given.ts';
import {act} from '../refinements/refine.ts';
import type {Word} from '../word.ts';
import {type Perl, readPerl} from './perl.ts';

interface Flags {
  readonly codes: Word[];
  readonly imported: Set<string>;
  loops: boolean;
  isWhole: boolean;
  prints: boolean;
  /** The ending given with `-i`. */
  ending: string | undefined;
}

/** Undefined: the code is not in the command, or not known to be harmless. */
export function readPerlCall({args}: Invocation): readonly Act[] | undefined {
  const flags: Flags = {
    codes: [],
    imported: new Set(),
    loops: false,
    isWhole: false,
    prints: false,
    ending: undefined,
  };
  const at = readFlags(args, flags);
  const isKnown = flags.codes.length > 0 && flags.codes.every((word) => isSure(word));
  const code = flags.codes.map(({text}) => text).join('\n');
  const perl = isKnown ? readPerl(code, flags.imported) : undefined;
  return perl && at !== undefined ? actsOf(perl, flags, args.slice(at)) : undefined;
}

function actsOf(perl: Perl, flags: Flags, operands: readonly Word[]): readonly Act[] | undefined {
  if (flags.ending !== undefined) {
    const isPlain = perl.isReplacing && flags.prints && !flags.isWhole;
    return isPlain ? edited(operands, flags.ending) : undefined;
  }
  if (!flags.loops && !perl.readsFiles) return [];
  return operands.every(isPlainFile) ? operands.map((word) => act('reads', word)) : undefined;
}

function edited(operands: readonly Word[], ending: string): readonly Act[] | undefined {
  if (!operands.every(isPlainFile) || operands.length === 0) return undefined;
  const kept =
    ending === '' ? [] : operands.map((word) => act('writes', {...word, text: word.text + ending}));
  return [...operands.map((word) => act('edits', word)), ...kept];
}

/** A name with a bar or an angle bracket at either end would be a command, or a file to write. */
function isPlainFile({text, known, pattern}: Word): boolean {
  return (
    known &&
    /^[\w./][\w./*?+@,=-]*$/.test(text) &&
    /\w$/.test(text) &&
    !(pattern && /^[*?]/.test(text))
  );
}

/** The index of the first operand; undefined: an unknown option. */
function readFlags(args: readonly Word[], flags: Flags): number | undefined {
  let at = 0;
  for (let word = args[at]; word && /^-./.test(word.text); word = args[at]) {
    if (word.text === '--') return at + 1;
    const taken = isSure(word) ? readFlag(word.text.slice(1), args[at + 1], flags) : undefined;
    if (taken === undefined) return undefined;
    at += taken;
  }
  return at;
}

/** The number of words that the option takes. */
function readFlag(letters: string, next: Word | undefined, flags: Flags): number | undefined {
  const takesNext = readCluster(letters, flags);
  if (takesNext !== true) return takesNext === false ? 1 : undefined;
  if (next) flags.codes.push(next);
  return next ? 2 : undefined;
}

/** True: the next word is code. */
function readCluster(letters: string, flags: Flags): boolean | undefined {
  let rest = letters;
  while (rest !== '') {
    if (/^[eE]/.test(rest)) return rest.length === 1 ? true : undefined;
    if (rest.startsWith('i'))
      return /^i(?:\.\w+)?$/.test(rest) ? setEnding(rest.slice(1), flags) : undefined;
    if (rest.startsWith('M')) return imports(rest.slice(1), flags);
    const plain = /^(?:F(?:[,:;=|-]|\\[ts|])$|0\d*|l\d*|[wWanp])/.exec(rest)?.[0];
    if (plain === undefined) return undefined;
    setFlag(plain, flags);
    rest = rest.slice(plain.length);
  }
  return false;
}

function setEnding(ending: string, flags: Flags): false {
  flags.ending = ending;
  return false;
}

function setFlag(letter: string, flags: Flags): void {
  if (/^[npaF]/.test(letter)) flags.loops = true;
  if (letter === 'p') flags.prints = true;
  if (letter.startsWith('0')) flags.isWhole = true;
}

const computing: Readonly<Record<string, RegExp>> = {
  'List::Util': /^(?:sum0?|max|min|maxstr|minstr|first|uniq|uniqnum|shuffle|product|any|all|none)$/,
  POSIX: /^(?:floor|ceil|fmod|pow|strftime)$/,
  strict: /^$/,
  warnings: /^$/,
  utf8: /^$/,
};

/** `-MList::Util=sum,max` */
function imports(text: string, {imported}: Flags): false | undefined {
  const [module = '', list = ''] = text.split('=', 2);
  const known = Object.hasOwn(computing, module) ? computing[module] : undefined;
  const given = list === '' ? [] : list.split(',');
  if (!known || (given.length === 0 && !known.test('')) || !given.every((name) => known.test(name)))
    return undefined;
  for (const name of given) imported.add(name);
  return false;
}
