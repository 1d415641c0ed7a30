/** Programs that write plain files, and the places that their operands name. */

import type {EffectKind} from './effect.ts';
import {type Call, inOrder, notePlace, type Notes, type Shell} from './notes.ts';
import type {Word} from './word.ts';

interface Writer {
  /** Options that change the meaning of the operands, or set permissions. */
  readonly barred: RegExp;
  readonly first?: EffectKind;
  readonly last: EffectKind;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
}

const writers: ReadonlyMap<string, Writer> = new Map(
  Object.entries({
    mkdir: {barred: /^-[a-z]*[mZ]|^--mode|^--context/, last: 'creates'},
    touch: {barred: /^-[a-z]*[rdt]|^--(?:ref|date|time)/, last: 'creates'},
    rm: {barred: /^--no-preserve/, last: 'deletes'},
    rmdir: {barred: /^$/, last: 'deletes'},
    unlink: {barred: /^$/, last: 'deletes'},
    mv: {barred: /^-[a-zA-Z]*[tS]|^--(?:target|suffix)/, first: 'moves', last: 'writes'},
    cp: {
      barred: /^-[a-zA-Z]*[tSlsZ]|^--(?:target|suffix|link|symbolic|context|parents)/,
      first: 'reads',
      last: 'writes',
    },
    tee: {barred: /^-[a-z]*p|^--output/, last: 'writes'},
    truncate: {barred: /^--?r/, last: 'empties', valued: /^-[sr]$/},
    ln: {barred: /^-[a-zA-Z]*[tSL]|^--(?:target|suffix)/, first: 'lists', last: 'writes'},
    chmod: {barred: /^--ref/, last: 'edits'},
    sed: {barred: /^-[a-z]*f|^--(?:file|follow)/, last: 'edits'},
  } satisfies Record<string, Writer>),
);

/** `sed` only with the option to write. */
export function isWriter({head, args}: Pick<Call, 'head' | 'args'>): boolean {
  if (head.text === 'sed') return args.some(({text}) => /^-[nErsz]*i|^--in-place/.test(text));
  return writers.has(head.text);
}

/** Writing is never approved by reading alone. */
export async function readWriter(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {head, args} = call;
  const writer = writers.get(head.text);
  if (!writer) return;
  const texts = args.map(({text}) => text);
  const operands = operandsOf(call, writer);
  const isOdd = texts.some((text) => text.startsWith('-') && writer.barred.test(text));
  if (isOdd || operands.length === 0 || args.some(({known}) => !known))
    notes.miss(call, 'it writes to places that are not known');
  if (args.some(({pattern}) => pattern)) notes.miss(call, 'it writes to what a pattern matches');
  const isTree = texts.some((text) => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/.test(text));
  await inOrder(operands, async (operand, at) => {
    const isLast = at === operands.length - 1;
    const kind = (isLast ? undefined : writer.first) ?? lastKind(head.text, writer, texts);
    await notePlace(notes, kind, operand, {shell, call, isTree});
  });
}

function lastKind(name: string, {last}: Writer, texts: readonly string[]): EffectKind {
  return name === 'tee' && texts.some((text) => /^-[a-z]*a|^--append/.test(text))
    ? 'appends'
    : last;
}

/** Without options and their values, the mode of `chmod` and the script of `sed`. */
function operandsOf({head, args}: Call, {valued}: Writer): readonly Word[] {
  const plain = args.filter(
    ({text}, at) => !/^-./.test(text) && !valued?.test(args[at - 1]?.text ?? ''),
  );
  const isGiven =
    head.text === 'chmod' &&
    args.some(({text}) => /^-[ugoarwxXst]/.test(text) && !/^-[cfvR]+$/.test(text));
  return /^(?:chmod|sed)$/.test(head.text) && !isGiven ? plain.slice(1) : plain;
}
