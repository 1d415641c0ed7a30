/** A small agent run without a network or a disk: function models, and tools that only count. */

import {setImmediate} from 'node:timers/promises';

import {z} from 'zod';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Journal,
  type RuntimeOptions,
} from '../../actors/index.ts';
import type {Awaitable, Entry, LocalJournal} from '../../actors/journal/journal.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {defineTool} from '../../tools/index.ts';
import {revised} from './agent-models.ts';
import {isDeep} from './depth.ts';

export interface Performed {
  /** Model calls as `model purpose`, tool runs as `tool args`, in the order in which they started. */
  readonly models: string[];
  readonly tools: string[];
}

export interface Scenario {
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly performed: Performed;
  readonly start: () => Run;
}

const usage = {inputTokens: 100, outputTokens: 10, cachedTokens: 0, costUsd: 0.001};

export function reply(name: string, args: object): ModelOutcome {
  return {kind: 'ok', text: '', usage, calls: [{id: 'c', name, args: asJson(args)}]};
}

export function answer(text: string): ModelOutcome {
  return {kind: 'ok', text, usage, calls: []};
}

export function vote(verdict: 'approve' | 'reject' | 'abstain'): ModelOutcome {
  return reply('cast_ballot', {verdict, reasons: [`I ${verdict}`], confidence: 0.5});
}

/** An agent whose plan is `plan`: panels approve, every result is accepted, and everything else is answered with a text. */
export function replyOfAgent({purpose}: ModelRequest, plan: object): ModelOutcome {
  if (purpose === 'plan') return reply('create_plan', plan);
  if (purpose === 'evaluate') return reply('evaluate_result', {successful: true, problems: []});
  return purpose.startsWith('review') ? vote('approve') : answer('nothing more to report');
}

/**
 * Revised after its first vote: two look-ups in parallel, a change worked out by the model after one rejected try, and a
 * command that proves it.
 */
const plan = {
  objective: 'Change the thing',
  reasoning: 'look, change, prove',
  tasks: [
    {id: 'a', description: 'look here', tool: 'look', args: {at: 'here'}},
    {id: 'b', description: 'look there', tool: 'look', args: {at: 'there'}},
    {id: 'c', description: 'change it', depends_on: ['a', 'b']},
    {id: 'd', description: 'prove it', tool: 'prove', args: {what: 'it'}, depends_on: ['c']},
  ],
};

function act({transcript}: ModelRequest): ModelOutcome {
  const turn = transcript.messages.filter(({role}) => role === 'assistant').length;
  if (turn === 0) return reply('change', {what: 'everything'});
  return turn === 1 ? reply('change', {what: 'a little'}) : answer('changed');
}

function review({transcript, purpose}: ModelRequest): ModelOutcome {
  const text = transcript.messages[0]?.text ?? '';
  const isFirstPlan = purpose === 'review-plan' && text.includes('round 1)');
  return vote(isFirstPlan || text.includes('"what": "everything"') ? 'reject' : 'approve');
}

export function work(request: ModelRequest): ModelOutcome {
  if (request.purpose === 'plan') {
    return reply('create_plan', revised(plan, request.transcript.messages[0]?.text ?? ''));
  }
  if (request.purpose === 'evaluate')
    return reply('evaluate_result', {successful: true, problems: []});
  if (request.purpose === 'close') return answer('Changed.');
  if (request.purpose === 'act') return act(request);
  return request.purpose === 'explore' ? answer('nothing to know') : review(request);
}

export interface ScenarioOptions {
  readonly journal?: Journal;
  readonly work?: (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>;
  readonly config?: RuntimeOptions['config'];
  readonly performed?: Performed;
  readonly inspect?: RuntimeOptions['inspect'];
}

const roles = {
  exploration_model: 'test/worker',
  decision_model: 'test/worker',
  review_models: ['test/x', 'test/y', 'test/z'],
};

export function createScenario(options: ScenarioOptions = {}): Scenario {
  const performed = options.performed ?? {models: [], tools: []};
  const journal = options.journal ?? createMemoryJournal();
  const decide = options.work ?? work;
  const models = ['worker', 'x', 'y', 'z'].map((name) =>
    createFunctionModel(`test/${name}`, (request) => {
      performed.models.push(`${request.model} ${request.purpose}`);
      return decide(request);
    }),
  );
  const runtime = createRuntime({
    config: {
      ...options.config,
      agent: {...roles, ...options.config?.agent},
      quorum: {feedback_grace_ms: 20, ...options.config?.quorum},
    },
    named: new Set(),
    models,
    tools: countingTools(performed),
    journal,
    env: {},
    ...(options.inspect ? {inspect: options.inspect} : {}),
  });
  return {
    runtime,
    journal,
    performed,
    start: () =>
      runtime.start({form: 'agent', request: 'Change the thing', workspace: import.meta.dirname}),
  };
}

function countingTools(performed: Performed) {
  const done = (text: string) => {
    performed.tools.push(text);
    return Promise.resolve({kind: 'succeeded' as const, text});
  };
  return [
    defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: z.strictObject({at: z.string()}),
      risk: 'low',
      repeatability: 'repeatable',
      run: async ({at}) => await done(`look ${at}`),
    }),
    defineTool({
      name: 'change',
      description: 'Changes.',
      parameters: z.strictObject({what: z.string()}),
      repeatability: 'checkable',
      run: async ({what}) => await done(`change ${what}`),
    }),
    defineTool({
      name: 'prove',
      description: 'Proves.',
      parameters: z.strictObject({what: z.string()}),
      run: async ({what}) => await done(`prove ${what}`),
    }),
  ];
}

/** A journal that holds the first entries of another, as a crash would have left it. */
export function cutJournal(id: string, entries: readonly Entry[]): Journal {
  const journal = createMemoryJournal();
  for (const {seq: _, at, hash: __, ...body} of entries)
    void journal.log.append([{interaction: id, bodies: [body], at}]);
  return journal;
}

/** Copies its arguments, and does and answers everything in a later turn of the event loop. */
export function laterJournal(journal: LocalJournal = createMemoryJournal()): LocalJournal {
  const {log, owners, inbox, host, backups, erase, close} = journal;
  const {children} = host;
  return {
    log: {
      append: later(log.append),
      read: later(log.read),
      after: later(log.after),
      salvage: later(log.salvage),
      lengthOf: later(log.lengthOf),
      closing: later(log.closing),
      list: later(log.list),
    },
    owners: {
      own: later(async (interaction) => {
        const {lost, release} = await owners.own(interaction);
        return {lost, release: later(release)};
      }),
      tenureOf: later(owners.tenureOf),
    },
    inbox: {
      post: later(inbox.post),
      read: later(inbox.read),
      remove: later(inbox.remove),
      watch: inbox.watch,
    },
    host: {
      ...host,
      children: {
        remember: later(children.remember),
        list: later(children.list),
        forget: later(children.forget),
      },
    },
    ...(backups
      ? {
          backups: {
            keep: later(backups.keep),
            list: later(backups.list),
            sizes: later(backups.sizes),
          },
        }
      : {}),
    erase: later(erase),
    close: later(close),
  };
}

function later<Args extends unknown[], Result>(
  operation: (...args: Args) => Awaitable<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const copies = structuredClone(args);
    await setImmediate();
    const result = await operation(...copies);
    await setImmediate();
    return result;
  };
}

/**
 * Where to cut a journal, as numbers of entries that are kept: after the first of each kind that is not the last of all,
 * or after each in a deep search.
 */
export function cutsOf(entries: readonly Entry[]): number[] {
  const kinds = entries.map(kindOf);
  return kinds.flatMap((kind, index) =>
    index + 1 < kinds.length && (isDeep || kinds.indexOf(kind) === index) ? [index + 1] : [],
  );
}

/** The subject of an entry, independent of task, seat and attempt. */
function kindOf(entry: Entry): string {
  if (entry.type === 'noted') return `noted ${JSON.stringify(entry.note['type'])}`;
  if (entry.type === 'received') return `received ${JSON.stringify(entry.event['type'])}`;
  return 'key' in entry ? `${entry.type} ${entry.key.replaceAll(/[#:][^/]*/g, '')}` : entry.type;
}
