/**
 * A copy of a run without its contents: each text is replaced by a hash, equal texts by equal hashes. What remains is the course of
 * the run: which actors did what, when, and how it was decided. The copy replays, as long as its charts do not depend on contents.
 */

import {hash} from 'node:crypto';

import {AppError} from '../../machines/domain/app-error.ts';
import {defaultForm, interactionForms} from '../../machines/domain/interaction-form.ts';
import {asJson, isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {hideOpaque} from '../../machines/prompts/transcript.ts';
import {isOfBreakpoints} from '../engine/breakpoints.ts';
import {firstHead, link} from '../journal/chain.ts';
import type {Entry, EntryBody} from '../journal/journal.ts';
import {Ledger} from '../run/ledger.ts';
import {createId} from '../run/run-id.ts';
import {openedIn} from '../run/run-input.ts';
import {toResult} from '../run/run-result.ts';
import {type Copied, Transcription} from './transcribe.ts';

export interface RedactedRun {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** The first entry that the charts of the copy do not follow, because they depend on contents. Absent: it replays as a whole. */
  readonly straysAt?: number;
}

/** Members whose texts are names of the system, never contents. */
const kept: ReadonlySet<string> = new Set(
  `type kind status verdict decision by form contextMode context_mode code phase alias role purpose model seat policy rule rules
  severity ruling risk repeatability tool hash proposalHash callHash approval basedOn becomes state section agent language country timezone
  mode event strategy stoppedReason stage port confinement toolChoice version gate ask key lost actor interaction parent child
  id task task_id depends_on field field_id allowed sensitivity permission`.split(/\s+/),
);
/** Of the arguments of a tool. */
const none: ReadonlySet<string> = new Set();
/** Of the opening. */
const keptParts: ReadonlySet<string> = new Set(['limits', 'prices']);
/** Labels of answers, the marks of a vote, reasons of a suspension. */
const label = /^(?:Response [A-Z]|\[[●○!·]+\]|waiting|interrupted|outage)$/u;
const hashDigits = 12;

/** Rejects with AppError `not_found` without an opening. The copy has an id of its own, and works in no folder. */
export async function redactRun(id: string, entries: readonly Entry[]): Promise<RedactedRun> {
  const opened = openedIn(entries);
  if (!opened) throw new AppError('not_found', `the run ${id} was never opened`);
  const tools = new Set(opened.settings.tools.map(({name}) => name));
  const contents = (content: JsonObject): JsonObject => {
    if (isOfBreakpoints(content)) return content;
    const {settings, ...value} = hideOpaque(content);
    return {
      ...withoutContents(value, tools),
      ...(isJsonObject(settings) ? {settings: settingsWithout(settings, tools)} : {}),
    };
  };
  const copy = createId();
  const transcription = new Transcription(id, entries, {
    id: copy,
    workspace: '/redacted',
    contents,
  });
  const straysAt = await copyAll(transcription, entries);
  const rest = straysAt === undefined ? entries.filter(isClosed) : entries.slice(straysAt);
  const copied = [
    ...transcription.copied.slice(0, straysAt),
    ...rest.map((entry) => ({
      at: entry.at,
      body: strippedOf(entry, {id: copy, end: transcription.end}, contents),
    })),
  ];
  return {
    id: copy,
    entries: chained(copy, copied),
    ...(straysAt === undefined ? {} : {straysAt}),
  };
}

/** Returns the first entry that the charts of the copy, or of the original, do not follow. */
async function copyAll(
  transcription: Transcription,
  entries: readonly Entry[],
): Promise<number | undefined> {
  try {
    await transcription.copy(entries);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'divergence') throw error;
    const {length} = transcription.copied;
    return Number(/^entry (\d+)/.exec(error.message)?.[1] ?? length);
  }
}

function isClosed({type}: Entry): boolean {
  return type === 'closed';
}

/** An entry without contents and without the marks of a replay. The result is the one that the charts of the copy reach. */
function strippedOf(
  entry: Entry,
  {id, end}: {readonly id: string; readonly end: Transcription['end']},
  contents: (value: JsonObject) => JsonObject,
): EntryBody {
  const {seq: _, at: __, hash: ___, digest: ____, signature: _____, ...body} = entry;
  switch (body.type) {
    case 'opened':
      return {...body, input: contents(body.input)};
    case 'settled':
      return {...body, outcome: isJsonObject(body.outcome) ? contents(body.outcome) : null};
    case 'received':
      return {...body, event: contents(body.event)};
    case 'noted':
      return {...body, note: contents(body.note)};
    case 'closed':
      return {...body, result: end ? resultOf(id, end, body.result) : contents(body.result)};
    case 'fired':
    case 'requested':
      return body;
    default:
      return body satisfies never;
  }
}

/** The calls and their costs are those of the original. */
function resultOf(
  id: string,
  end: NonNullable<Transcription['end']>,
  {form, usage, inDoubt}: JsonObject,
): JsonObject {
  const own = interactionForms.find((each) => each === form) ?? defaultForm;
  const ledger = new Ledger({maxCostUsd: 0, maxModelCalls: 0, timeoutMs: 0}, () => undefined);
  const result = asJson(toResult(end, {id, form: own, ledger}));
  return {
    ...result,
    ...(usage === undefined ? {} : {usage}),
    ...(inDoubt === undefined ? {} : {inDoubt}),
  };
}

/** Without texts of the person: allowed commands, blocked patterns, requests of spawn rules. */
function settingsWithout(settings: JsonObject, tools: ReadonlySet<string>): JsonObject {
  const {guardrails, spawn, allow} = settings;
  const own = withoutContents(
    {
      ...(isJsonObject(guardrails) ? {guardrails} : {}),
      ...(spawn === undefined ? {} : {spawn}),
    },
    tools,
  );
  return {...settings, ...own, ...(allow === undefined ? {} : {allow: []})};
}

/** `names`: the members whose texts are kept. */
function withoutContents(
  value: JsonObject,
  tools: ReadonlySet<string>,
  names: ReadonlySet<string> = kept,
): JsonObject {
  const isName = (member: string): boolean =>
    names.has(member) || ('args' in value && member === 'name');
  const without = (each: Json, member: string): Json => {
    if (typeof each === 'string') {
      return isName(member) || tools.has(each) || label.test(each) ? each : redactedText(each);
    }
    if (Array.isArray(each)) return each.map((item: Json) => without(item, member));
    if (!isJsonObject(each)) return each;
    const isOfTool = member === 'args' && !isReply(value, tools);
    return withoutContents(each, tools, isOfTool ? none : names);
  };
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      member,
      keptParts.has(member) ? each : without(each, member),
    ]),
  );
}

/** True for a call by which a model replies to the charts, such as a ballot. Its members are names of the system. */
function isReply({name}: JsonObject, tools: ReadonlySet<string>): boolean {
  return typeof name === 'string' && !tools.has(name);
}

function redactedText(text: string): string {
  if (text === '') return text;
  return `redacted-${hash('sha256', text).slice(0, hashDigits)}`;
}

function chained(interaction: string, copied: readonly Copied[]): Entry[] {
  let head = firstHead(interaction);
  return copied.map(({body, at}) => {
    const {seq} = head;
    ({head} = link(head, {bodies: [JSON.stringify(body)], at}));
    return {...body, seq, at, hash: head.hash};
  });
}
