/** The part of a runtime that shows runs step by step. Loaded when it is first used. */

import {setTimeout as delay} from 'node:timers/promises';

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {Gap, Step, ModelCall, PromptPart} from '../../machines/trace/step.ts';
import {requireUsable, noSuchRun} from '../journal/chain.ts';
import type {Entry, Journal, Log} from '../journal/journal.ts';
import type {OfferedTool, Price} from '../model/model.ts';
import {pricesIn} from '../model/prices.ts';
import type {Tooling} from '../performers/tooling.ts';
import {Ledger} from '../run/ledger.ts';
import {openedIn, receivedIn} from '../run/run-input.ts';
import type {InspectedRun, Inspection, TraceBatch, TraceOptions} from './inspection-api.ts';
import {ShownTrace, type RequestedCall} from './run-trace.ts';

interface InspectionDeps extends CallGround {
  readonly journal: Pick<Journal, 'log'>;
}

export function createInspection(deps: InspectionDeps): Inspection {
  const {log} = deps.journal;
  return {
    trace: (id, options) => traceRun(id, log, options),
    modelCalls: async (id) => (await inspectEntries(id, await usableEntries(id, log), deps)).calls,
    entryCount: async (id) => await log.lengthOf(id),
    costOf: async (id) => {
      const usage = (await log.closing(id))?.result['usage'];
      const costUsd = isJsonObject(usage) ? usage['costUsd'] : undefined;
      return typeof costUsd === 'number' ? costUsd : undefined;
    },
    inspectEntries: async (id, entries) => await inspectEntries(id, entries, deps),
  };
}

async function inspectEntries(
  id: string,
  entries: readonly Entry[],
  ground: CallGround,
): Promise<InspectedRun> {
  const trace = new ShownTrace(id, entries);
  const steps: Step[] = [];
  const gaps: Gap[] = [];
  for await (const batch of trace.add(entries)) {
    steps.push(...batch.steps);
    gaps.push(...batch.gaps);
  }
  const calls = await describeCalls(trace.calls, entries, ground);
  return {steps, gaps, calls: calls.map((call) => trace.mask(call))};
}

// Reads the trace of a run from its journal, and follows it while any process writes to it.

type Reading = Pick<Log, 'salvage' | 'lengthOf'>;

const pauseMs = 200;

/** As `Inspection.trace`. */
async function* traceRun(
  id: string,
  log: Reading,
  {signal = new AbortController().signal, isFollowed = true}: TraceOptions = {},
): AsyncGenerator<TraceBatch> {
  let read = await readRun(id, log);
  const trace = new ShownTrace(id, read.entries);
  for (;;) {
    const {entries, hasEnded} = read;
    yield* trace.add(entries);
    if (hasEnded || !isFollowed) return;
    yield {steps: [], gaps: [], isCurrent: true};
    // oxlint-disable-next-line no-await-in-loop -- one read after the other
    if (!(await hasGrown(id, read, log, signal))) return;
    // oxlint-disable-next-line no-await-in-loop
    read = await readRun(id, log);
  }
}

interface ReadRun {
  readonly entries: readonly Entry[];
  readonly hasEnded: boolean;
  /** As the journal counts the entries, also damaged ones. */
  readonly length: number;
  /** How long the reading took. */
  readonly ms: number;
}

async function readRun(id: string, log: Reading): Promise<ReadRun> {
  const began = performance.now();
  const length = await log.lengthOf(id);
  const entries = await usableEntries(id, log);
  const hasEnded = entries.at(-1)?.type === 'closed';
  return {entries, hasEnded, length, ms: performance.now() - began};
}

/** Rejects with AppError `not_found` for a run that was never opened, or `journal_corrupt`. */
async function usableEntries(id: string, log: Pick<Log, 'salvage'>): Promise<readonly Entry[]> {
  const {entries} = requireUsable(await log.salvage(id));
  if (!openedIn(entries)) throw noSuchRun(id);
  return entries;
}

/**
 * Waits for more entries, longer after a longer reading: a run is read as a whole. False: the signal was aborted first. Rejects
 * with AppError `not_found` for a run that was erased.
 */
async function hasGrown(
  id: string,
  {length, ms}: Pick<ReadRun, 'length' | 'ms'>,
  log: Reading,
  signal: AbortSignal,
): Promise<boolean> {
  const pause = Math.max(pauseMs, 3 * ms);
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const current = await log.lengthOf(id);
    if (current < length) throw noSuchRun(id);
    if (current > length) return true;
    // oxlint-disable-next-line no-await-in-loop
    await delay(pause, undefined, {signal}).catch(() => {});
  }
  return false;
}

// The model calls of a run, with their prompts as they were sent.

/** A request as its adapter sends it. */
export interface SentRequest {
  /** With the descriptions of tools that the model can't call. */
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
  /** Absent: the model has no known provider. */
  readonly body?: JsonObject;
}

export interface CallGround {
  /** With the providers of this runtime, and with the tools of the run if it records them. */
  readonly asSent: (request: ModelRequest, tooling: Tooling | undefined) => Promise<SentRequest>;
  /** For models whose prices the run does not record. */
  readonly priceOf: (model: string) => Price | undefined;
}

async function describeCalls(
  requested: readonly RequestedCall[],
  entries: readonly Entry[],
  {asSent, priceOf}: CallGround,
): Promise<readonly ModelCall[]> {
  const {tooling, prices = {}} = openedIn(entries) ?? {};
  const ledger = new Ledger({maxCostUsd: 0, maxModelCalls: 0, timeoutMs: 0}, priceOf);
  ledger.learn(prices);
  for (const event of receivedIn(entries)) ledger.learn(pricesIn(event));
  return await Promise.all(
    requested.map(async ({request, ...call}) => {
      const {outcome} = call;
      const spent = outcome && ledger.book(call.key, request, outcome);
      const sent = await asSent(request, tooling);
      return {
        ...call,
        purpose: request.purpose,
        model: request.model,
        prompt: [...promptOf(sent.request), ...sent.tools.map(toolPart)],
        ...(sent.body ? {body: sent.body} : {}),
        ...(spent ? {usage: spent} : {}),
      };
    }),
  );
}

function promptOf({system, transcript}: ModelRequest): readonly PromptPart[] {
  return [
    {role: 'system', text: system},
    ...transcript.messages.flatMap((message): PromptPart[] => {
      if (message.role === 'user') return [{role: 'user', text: message.text}];
      if (message.role === 'tool') return [{role: 'tool', name: message.name, text: message.text}];
      const calls = message.calls.map(({name, args}) => `${name} ${JSON.stringify(args)}`);
      return [{role: 'assistant', text: [message.text, ...calls].filter(Boolean).join('\n')}];
    }),
  ];
}

function toolPart({name, description, schema}: OfferedTool): PromptPart {
  return {role: 'tools', name, text: `${description}\n${JSON.stringify(schema, undefined, 2)}`};
}
