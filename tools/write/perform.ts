/** Performs write_file and edit_file. */

import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {type Attempt, failed} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {
  type FileText,
  sha256,
  decodedText,
  isNumbered,
  maxFileBytes,
  numberedLines,
  withoutNumbers,
} from '../read/read.ts';
import type {ToolContext} from '../tool.ts';
import {changesOf, previewChange, toPreview, unchanged, withLook} from './change.ts';
import {findPassage, type Found, type Likeness, maxFound, rebuilt, type Span} from './passage.ts';
import {
  baseOf,
  missingFolder,
  readForPreview,
  readForWrite,
  type Written,
  writeInside,
  type BeforeWrite,
} from './write.ts';

type Put = {
  readonly path: string;
  readonly content: string;
  readonly create_dirs?: boolean;
};

export async function put(args: Put, context: ToolContext): Promise<ToolOutcome> {
  const {workspace, basedOn, recovering, onReplace} = context;
  const current = readForWrite(workspace, args.path);
  if (!current.ok) return current.denial;
  const {path, before} = current.value;
  const content = contentFor(before, args.content);
  if (recovering && baseOf(before) === sha256(content)) {
    const outcome = {
      kind: 'succeeded',
      text: `${path} was already written`,
      written: [path],
    } as const;
    return await withLook(outcome, path, context);
  }
  const createDirs = args.create_dirs ?? false;
  const base = basedOn ?? baseOf(before);
  if (before && [base, sha256(content)].every((hash) => hash === baseOf(before)))
    return unchanged(path, before);
  const order = {workspace, path: args.path, content, createDirs, basedOn: base, onReplace};
  const changes = await changesOf({path, before, after: content});
  const done = await writeInside(order);
  if (!done.ok) return done.denial;
  const text = writtenText(done.value, content !== args.content.toWellFormed());
  return await withLook({kind: 'succeeded', text, written: [path], changes}, path, context);
}

export async function previewPut(args: Put, context: ToolContext): Promise<PreviewOutcome> {
  const current = readForPreview(context.workspace, args.path, context.pending);
  if (!current.ok) return toPreview(current.denial);
  if (!current.value.folderExists && args.create_dirs !== true) {
    return toPreview(missingFolder(args.path));
  }
  const after = contentFor(current.value.before, args.content);
  return await previewChange(args, {...current.value, after}, context);
}

function contentFor(before: FileText | undefined, asked: string): string {
  const content = asked.toWellFormed();
  const old = before ? decodedText(before) : undefined;
  return old?.ok === true ? withLineEndsOf(old.value, content) : content;
}

function writtenText({path, bytes, created}: Written, isFitted: boolean): string {
  const ends = isFitted ? ', its lines end in CRLF as before' : '';
  return `${created ? 'created' : 'replaced'} ${path} (${bytes} bytes${ends})`;
}

/**
 * `text` with CRLF for LF where `file` has no other line end than CRLF: models read and write LF. A text that has a CR of
 * its own stays as it is.
 */
function withLineEndsOf(file: string, text: string): string {
  const isCrlf = file.includes('\r\n') && !/(?<!\r)\n/.test(file);
  return isCrlf && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
}

// Performs edit_file: all of its edits, each on the result of the one before, or none.

// The passages of a text that are most like one that does not occur in it.

const maxPassages = 3;
const maxLines = 12;
const maxLineChars = 200;
/** Of a line, not more is compared. */
const comparedChars = 1_000;
/** Windows that are compared line by line. */
const maxCandidates = 200;
/** Of two passages, 0 to 1: less like ones are not shown. */
const minLikeness = 0.4;

/** Up to three, the most similar first, with line numbers. Takes time in proportion to the length of the text. */
function nearestPassages(text: string, passage: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  const wanted = passage.trim().split(/\r\n?|\n/);
  return bestWindows(lines.map(pairsOf), wanted.map(pairsOf)).map((start) => {
    const shown = lines.slice(start, start + Math.min(wanted.length, maxLines));
    return numberedLines(shown.map(shortened), start + 1).join('\n');
  });
}

function shortened(line: string): string {
  return line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars).toWellFormed()}…`;
}

/** The pairs of neighbouring characters of a line, as numbers. */
type Pairs = readonly number[];

/** Indexes of the first lines of windows as long as the passage, none overlapping another. */
function bestWindows(lines: readonly Pairs[], wanted: readonly Pairs[]): number[] {
  const candidates = likenesses(lines, wanted)
    .map((likeness, start) => ({likeness, start}))
    .filter(({likeness}) => likeness >= minLikeness)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, maxCandidates)
    .map(({start}) => ({start, likeness: likenessByLine(lines, wanted, start)}))
    .toSorted((one, other) => other.likeness - one.likeness);
  const best: number[] = [];
  for (const {start} of candidates) {
    if (best.length === maxPassages) break;
    if (best.every((other) => Math.abs(other - start) >= wanted.length)) best.push(start);
  }
  return best;
}

function likenessByLine(lines: readonly Pairs[], wanted: readonly Pairs[], start: number): number {
  const each = wanted.map((line, at) => likenesses([lines[start + at] ?? []], [line])[0] ?? 0);
  return each.reduce((sum, likeness, at) => sum + likeness * (wanted[at]?.length ?? 0), 0);
}

/** For each window of lines: the share of its pairs that the passage has, and the other way round (Dice). */
function likenesses(lines: readonly Pairs[], wanted: readonly Pairs[]): number[] {
  const open = new Map<number, number>();
  const wantedPairs = wanted.flat();
  for (const pair of wantedPairs) open.set(pair, (open.get(pair) ?? 0) + 1);
  let [size, shared] = [0, 0];
  const move = (line: Pairs = [], by: 1 | -1) => {
    for (const pair of line) {
      const left = open.get(pair);
      if (left === undefined) continue;
      if (by === 1 ? left > 0 : left >= 0) shared += by;
      open.set(pair, left - by);
    }
    size += by * line.length;
  };
  for (const line of lines.slice(0, wanted.length)) move(line, 1);
  return lines.map((line, start) => {
    const likeness = (2 * shared) / Math.max(1, size + wantedPairs.length);
    move(line, -1);
    move(lines[start + wanted.length], 1);
    return likeness;
  });
}

function pairsOf(line: string): Pairs {
  const text = line.slice(0, comparedChars).trim().replaceAll(/\s+/g, ' ');
  const pairs: number[] = [];
  for (let at = 1; at < text.length; at += 1)
    pairs.push(text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at));
  return pairs;
}

type Edit = {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
};

type Edits = {
  readonly path: string;
  readonly edits?: readonly Edit[];
  readonly old_text?: string;
  readonly new_text?: string;
};

/** More places than these are not listed. */
const maxPlaces = 10;

export async function makeEdits(args: Edits, context: ToolContext): Promise<ToolOutcome> {
  const {workspace, basedOn, becomes, recovering, onReplace} = context;
  const found = existing(readForWrite(workspace, args.path));
  if (!found.ok) return found.denial;
  const {path, before, text} = found.value;
  if (recovering && becomes !== undefined && baseOf(before) === becomes) {
    const done = {kind: 'succeeded', text: `${path} was already edited`, written: [path]} as const;
    return await withLook(done, path, context);
  }
  // A file that changed since the preview is stale, even if the passages still occur in it.
  if (basedOn !== undefined && baseOf(before) !== basedOn) return stale(path);
  const edited = edit(path, text, args);
  if (!edited.ok) return edited.denial;
  const {text: content, notes} = edited.value;
  if (content === text) return unchanged(path, before);
  const order = {workspace, path: args.path, content, createDirs: false, onReplace};
  const changes = await changesOf({path, before, after: content});
  const done = await writeInside({...order, basedOn: baseOf(before)});
  if (!done.ok) return done.denial;
  const report = [`edited ${path} (${done.value.bytes} bytes)`, ...notes].join('\n');
  return await withLook({kind: 'succeeded', text: report, written: [path], changes}, path, context);
}

export async function previewEdits(args: Edits, context: ToolContext): Promise<PreviewOutcome> {
  const found = existing(readForPreview(context.workspace, args.path, context.pending));
  if (!found.ok) return toPreview(found.denial);
  const after = edit(found.value.path, found.value.text, args);
  if (!after.ok) return toPreview(after.denial);
  const preview = await previewChange(args, {...found.value, after: after.value.text}, context);
  if (preview.kind !== 'ready') return preview;
  return {...preview, becomes: sha256(after.value.text)};
}

function existing(
  current: Attempt<BeforeWrite>,
): Attempt<{path: string; before: FileText; text: string}> {
  if (!current.ok) return current;
  const {path, before} = current.value;
  if (!before) {
    const message = `${path} does not exist; write_file creates files`;
    return {ok: false, denial: failed('not_found', message)};
  }
  const text = decodedText(before);
  return text.ok ? {ok: true, value: {path, before, text: text.value}} : text;
}

/** A text after edits, with a line for each edit that was not made literally. */
interface Edited {
  readonly text: string;
  readonly notes: readonly string[];
}

function edit(path: string, text: string, args: Edits): Attempt<Edited> {
  const {edits = [{old_text: args.old_text ?? '', new_text: args.new_text ?? ''}]} = args;
  let current: Edited = {text, notes: []};
  for (const [index, each] of edits.entries()) {
    const which = edits.length === 1 ? '' : `edit ${index + 1} of ${edits.length}: `;
    const next = editOnce(path, current.text, each);
    if (!next.ok) {
      const none = which === '' ? '' : '\nNo edit was made.';
      const {code, message} = next.denial;
      return {ok: false, denial: failed(code, `${which}${message}${none}`)};
    }
    const notes = next.value.notes.map((note) => `${which}${note}`);
    current = {text: next.value.text, notes: [...current.notes, ...notes]};
  }
  return {ok: true, value: current};
}

function editOnce(path: string, text: string, asked: Edit): Attempt<Edited> {
  const edits = [asked, withoutLineNumbers(asked)].filter((each) => each !== undefined);
  for (const each of edits) {
    const oldText = each.old_text.toWellFormed();
    const found = findPassage(text, oldText);
    if (!found) continue;
    const problem = ambiguity(path, text, found, each);
    if (problem !== undefined) return refusal('ambiguous_match', problem);
    const newText = each.new_text.toWellFormed();
    const edited = replaced(text, found, {oldText, newText});
    if (Buffer.byteLength(edited) > maxFileBytes)
      return refusal('too_large', `${path} would have more than ${maxFileBytes} bytes`);
    return {ok: true, value: {text: edited, notes: notesOn(text, found, each !== asked)}};
  }
  return refusal('no_match', missing(path, text, edits.at(-1) ?? asked));
}

function refusal(code: string, message: string): Attempt<never> {
  return {ok: false, denial: failed(code, message)};
}

/** Undefined if the passages were not copied with the line numbers of read_file. */
function withoutLineNumbers(asked: Edit): Edit | undefined {
  if (!isNumbered(asked.old_text)) return undefined;
  return {
    ...asked,
    old_text: withoutNumbers(asked.old_text),
    new_text: withoutNumbers(asked.new_text),
  };
}

const likenessWords: Readonly<Record<Likeness, string>> = {
  exact: '',
  lineEnds: ' up to line ends',
  whiteSpace: ' up to white space',
};

/** A passage that differs in white space must be the only one: it is not known which of several is meant. */
function ambiguity(
  path: string,
  text: string,
  {likeness, spans, count}: Found,
  {replace_all: isForAll = false}: Edit,
): string | undefined {
  if (count > maxFound) return `old_text occurs more than ${maxFound} times in ${path}`;
  if (count === 1 || (isForAll && likeness !== 'whiteSpace')) return undefined;
  const lines = linesAt(text, spans);
  const hint = likeness === 'whiteSpace' ? 'copy it exactly' : 'set replace_all';
  return `old_text occurs ${count} times in ${path}${likenessWords[likeness]} (${lines}); include more of its surroundings, or ${hint}`;
}

function linesAt(text: string, spans: readonly Span[]): string {
  const numbers = spans.slice(0, maxPlaces).map(({from}) => lineNumber(text, from));
  const more = spans.length > maxPlaces ? ', …' : '';
  return `${spans.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}${more}`;
}

function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n?|\n/).length;
}

function replaced(
  text: string,
  {likeness, spans}: Found,
  passages: {readonly oldText: string; readonly newText: string},
): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of spans) {
    const now = rebuilt({text, span, ...passages, likeness});
    parts.push(text.slice(end, span.from), now);
    end = span.to;
  }
  return [...parts, text.slice(end)].join('');
}

function notesOn(text: string, {likeness, spans}: Found, wasNumbered: boolean): string[] {
  const matched =
    likeness === 'exact'
      ? []
      : [`[old_text matched${likenessWords[likeness]} (${linesAt(text, spans)})]`];
  return [...(wasNumbered ? ['[the line numbers were left out]'] : []), ...matched];
}

function missing(path: string, text: string, {old_text: passage}: Edit): string {
  const near = isCredentialPlace(path) ? [] : nearestPassages(text, passage);
  const said = `old_text does not occur in ${escapeLine(path)}`;
  if (near.length === 0) return `${said}; read the file and copy the passage exactly`;
  const title = near.length === 1 ? 'The nearest passage is' : 'The nearest passages are';
  return `${said}. ${title}:\n${near.join('\n--\n')}\nCopy the passage exactly, without the line numbers.`;
}

function stale(path: string): ToolOutcome {
  return failed('stale_base', `${path} has changed since it was looked at; read it again`);
}
