/** Compilers of C and related languages. */

import type {Unknown} from '../effect.ts';
import type {Act, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {act, after} from './refine.ts';

export const compilers: Refinements = {
  compilesFiles: (_reading, {args}) => compiling(args),
};

const valued: Readonly<Record<string, Act['role']>> = {
  '-o': 'writes',

  '-I': 'lists',
  '-isystem': 'lists',
  '-iquote': 'lists',
  '-L': 'lists',
  '-include': 'reads',
  '-D': 'text',
  '-U': 'text',
  '-l': 'text',
  '-x': 'text',
  '-MT': 'text',
  '-MQ': 'text',
  '-arch': 'text',
  '-framework': 'text',
  '-target': 'text',
};

const flags =
  /^(?:-[cSEsgvw]|-g\w*|-pipe|-pedantic(?:-errors)?|-ansi|-static(?:-libgcc|-libstdc\+\+)?|-shared|-pthread|-rdynamic|-no-?std\w+|-MM?P?|-O(?:[0-3sgz]|fast)?|-W(?![apl],)[\w=+-]*|-f(?:no-[\w-]+|PIC|pic|PIE|pie|openmp|sanitize=[\w,-]+|visibility=\w+|stack-protector[\w-]*|diagnostics-color=?\w*|strict-aliasing|omit-frame-pointer|syntax-only|permissive|exceptions|rtti|lto|common|wrapv|data-sections|function-sections|coroutines|concepts|modules-ts|signed-char|unsigned-char)|-std=[\w+]+|-m(?:arch|tune|cpu|fpu)=[\w+-]+|-m(?:32|64|avx\w*|sse[\w.]*)|--?version|--help|-dump(?:version|machine)|-print-[\w-]+|-v|--analyze|-pg|-Wl,-rpath,\S+|-Wl,--as-needed)$/;

/** Options of compilers are neither clustered nor regular: only options known to load and write nothing else are accepted. */
function compiling(args: readonly Word[]): Reading {
  const acts: Act[] = [];
  const unknown: Unknown[] = [];
  const sources: Word[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index];
    if (!word) break;
    const option = optionOf(word, args[index + 1]);
    if (option.takesNext) index += 1;
    acts.push(...option.acts);
    if (option.kind === 'source') sources.push(word);
    if (option.kind === 'unknown') unknown.push({word: word.text, why: 'is not a known option'});
  }
  const texts = new Set(args.map(({text}) => text));
  const isNamed = acts.some(({role}) => role === 'writes');
  const makes =
    sources.length > 0 &&
    !isNamed &&
    !['-E', '-fsyntax-only', '-M', '-MM', '--analyze'].some((flag) => texts.has(flag));
  const read = sources.map((word) => act('reads', word));
  return {acts: [...acts, ...read, ...(makes ? outputs(sources, texts) : [])], unknown};
}

function outputs(sources: readonly Word[], texts: ReadonlySet<string>): readonly Act[] {
  const ending = texts.has('-S') ? '.s' : '.o';
  if (!texts.has('-S') && !texts.has('-c')) return [act('writes', 'a.out')];
  return sources.map((word) =>
    act('writes', {...word, text: word.text.replace(/^.*\//, '').replace(/\.\w+$/, ending)}),
  );
}

interface OptionRead {
  readonly kind: 'option' | 'source' | 'unknown';
  readonly acts: readonly Act[];
  readonly takesNext?: boolean;
}

function optionOf(word: Word, next: Word | undefined): OptionRead {
  const {text, known} = word;
  const isOption = text.startsWith('-') && text !== '-';
  if (known && !isOption && !/^[-@]/.test(text)) return {kind: 'source', acts: []};
  if (!known || !isOption || word.pattern) return {kind: 'unknown', acts: []};
  return knownOption(word, next);
}

function knownOption(word: Word, next: Word | undefined): OptionRead {
  const {text} = word;
  const role = valued[text];
  if (role && next) return {kind: 'option', acts: [{role, word: next}], takesNext: true};
  if (flags.test(text)) return {kind: 'option', acts: []};
  const attached = valued[text.slice(0, 2)];
  return attached && /^-[oILDUl]./.test(text)
    ? {kind: 'option', acts: [{role: attached, word: after(word, 2)}]}
    : {kind: 'unknown', acts: []};
}
