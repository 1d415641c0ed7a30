/** The journal: each step in one line, and the rows of its list, with a row for each gap. */

import {isJsonObject, type Json, type JsonObject} from '../../../../../machines/domain/json.ts';
import type {Moments} from '../../../../../machines/trace/moments.ts';
import type {EffectRequest, Step, Gap} from '../../../../../machines/trace/step.ts';
import {foldSteps, objectIn, objectsIn, textIn} from './fold.ts';

/** The effects that a trace has requested, by key. */
export const requestsOf = foldSteps<Map<string, EffectRequest>>(
  () => new Map(),
  (requests, step) => {
    for (const request of step.requests) requests.set(request.key, request);
  },
);

type Requests = ReadonlyMap<string, EffectRequest>;

const maxLine = 300;

/** `type`: of the entry, or of the event of a program. */
export function entryLine(
  {cause}: Step,
  requests: Requests,
): {readonly type: string; readonly line: string} {
  if (cause.kind === 'event') {
    const {type, ...rest} = cause.event;
    const event = typeof type === 'string' ? type : '';
    return {
      type: event,
      line: cutLine(`${cause.to} ${Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''}`),
    };
  }
  const {entry} = cause;
  return {type: entry.type, line: cutLine(lineOf(entry, requests))};
}

function lineOf(entry: JsonObject & {readonly type: string}, requests: Requests): string {
  switch (entry.type) {
    case 'opened':
      return words(
        textIn(objectIn(entry, 'input'), 'form'),
        textIn(objectIn(entry, 'input'), 'request'),
      );
    case 'requested':
      return effectText(entry, requests);
    case 'settled':
      return `${effectText(entry, requests)} → ${outcomeText(entry['outcome'])}`;
    case 'received':
      return factLine(objectIn(entry, 'event') ?? {});
    case 'noted':
      return factLine(objectIn(entry, 'note') ?? {});
    case 'fired':
      return `timer ${JSON.stringify(entry['timer'])}`;
    case 'closed':
      return words(
        textIn(objectIn(entry, 'result'), 'status'),
        textIn(objectIn(entry, 'result'), 'summary'),
      );
    default:
      return '';
  }
}

function effectText(entry: JsonObject, requests: Requests): string {
  const key = textIn(entry, 'key') ?? '';
  const request = requests.get(key);
  return request ? words(request.port, request.label) : words(textIn(entry, 'tool'), key);
}

/** An outcome in a few words. */
function outcomeText(outcome: Json | undefined): string {
  if (!isJsonObject(outcome)) return JSON.stringify(outcome) ?? '';
  const kind = textIn(outcome, 'kind') ?? textIn(outcome, 'decision') ?? textIn(outcome, 'status');
  const calls = objectsIn(outcome, 'calls');
  if (kind === 'ok' && calls.length > 0) return calls.map(callText).join(', ');
  const text = textIn(outcome, 'text') ?? textIn(outcome, 'message');
  const place = textIn(outcome, 'confinement');
  return words(kind, place && `(confinement: ${place})`, text) || JSON.stringify(outcome);
}

const decidingNames = ['verdict', 'objective', 'path', 'command', 'score', 'successful', 'query'];

/** A tool call of a model: its name, and the argument that decides. */
function callText(call: JsonObject): string {
  const args = objectIn(call, 'args');
  const deciding = decidingNames.find((name) => args?.[name] !== undefined) ?? '';
  const value = args?.[deciding];
  return words(textIn(call, 'name'), typeof value === 'object' ? undefined : String(value ?? ''));
}

const subjects = [
  'title',
  'reason',
  'text',
  'request',
  'message',
  'summary',
  'field',
  'interaction',
];

/** An event that a run received, or a note: its type, its decision, and its subject. */
function factLine(fact: JsonObject): string {
  const question = objectIn(fact, 'question');
  const subject = subjects
    .map((name) => textIn(fact, name) ?? textIn(question, name))
    .find(Boolean);
  return words(
    textIn(fact, 'type'),
    textIn(fact, 'decision') ?? textIn(fact, 'verdict') ?? textIn(fact, 'status'),
    fact['type'] === 'quorum.decided' ? textIn(fact, 'summary') : undefined,
    subject,
  );
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/** On one line; the rest is in the entry. */
function cutLine(text: string): string {
  const line = text
    .slice(0, maxLine * 4)
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .trim();
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}

export type JournalRow =
  | {readonly kind: 'step'; readonly index: number}
  | {readonly kind: 'gap'; readonly gap: Gap};

export interface JournalRows {
  readonly count: number;
  readonly at: (row: number) => JournalRow;
  /** The row of the step with this index. */
  readonly rowOf: (index: number) => number;
}

export function journalRows(moments: Moments, gaps: readonly Gap[]): JournalRows {
  const inOrder = gaps.toSorted((one, other) => one.from - other.from);
  /** The index of the step that follows each gap. */
  const following = inOrder.map((gap) => moments.indexOf(gap.from - 1) + 1);
  const rowOf = (index: number): number => index + following.filter((next) => next <= index).length;
  return {
    count: moments.steps.length + gaps.length,
    at: (row) => {
      const before = following.filter((next, at) => next + at < row).length;
      const gap = inOrder[before];
      const isGap = gap && (following[before] ?? 0) + before === row;
      return isGap ? {kind: 'gap', gap} : {kind: 'step', index: row - before};
    },
    rowOf,
  };
}
