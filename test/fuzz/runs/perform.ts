/** Drives a whole run of the runtime with an adversary as planner and worker, and observes the effects of each call. */

import {existsSync} from 'node:fs';
import {setTimeout} from 'node:timers/promises';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type ConfigInput,
  type Journal,
  type Run,
  type Runtime,
  type RunEvent,
  type RuntimeOptions,
} from '../../../actors/index.ts';
import {readFolder, trustContent} from '../../../cli/config/folder-trust.ts';
import {folderServers} from '../../../cli/config/mcp-file.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import {
  containedReason,
  type ModelVote,
  type ReviewRound,
  unjudgedIn,
} from '../../../machines/domain/review.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import type {McpServer} from '../../../tools/mcp/server.ts';
import {type Adversary, createAdversary} from './adversary.ts';
import {canariesIn, listen, type Listener, type Received} from './canaries.ts';
import {fill, isServerTool, type Script, type Step} from './script.ts';
import {
  canaries,
  canaryAt,
  changedBetween,
  lookAt,
  ownChanges,
  startedName,
  type Tree,
  type World,
} from './world.ts';

/** A call that ran, and the observations right after it. */
export interface Performed {
  readonly step: Step;
  /** True when rules could not judge it and models approved it. */
  readonly isLeftToModels: boolean;
  /** True when every policy reviewer approved it because of what it reads, not because it is contained. */
  readonly isReading: boolean;
  /** The reasons why rules could not judge it. */
  readonly doubts: readonly string[];
  /** Relative to the world. */
  readonly changed: readonly string[];
  /** Messages that the listener received during the step. */
  readonly sent: readonly Received[];
  /** Connections to the listener during the step. */
  readonly connected: number;
}

export interface Shown {
  readonly path: string;
  /** The calls whose outcome the model had not read before. */
  readonly from: number;
  readonly to: number;
}

export interface Performance {
  readonly status: string;
  /** The number of steps that were called. */
  readonly tried: number;
  readonly calls: readonly Performed[];
  /** Secrets that a model has read. */
  readonly shown: readonly Shown[];
  readonly before: Tree;
  /** A server of `.mcp.json` was started before the run. */
  readonly hasStarted: boolean;
  readonly id: string;
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

const secrets = canaries.filter(({kind}) => kind === 'secret');

/** Variables that the person passes to commands: a proxy, which is the listener; and a registry that fails at once. */
const proxyNames = [
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'npm_config_fetch_retries',
  'npm_config_audit',
  'npm_config_fund',
  'npm_config_update_notifier',
];

/** `endsAtChange`: after a call that changes anything, no other is made. */
export async function perform(
  script: Script,
  world: World,
  endsAtChange = false,
): Promise<Performance> {
  const listener = await listen(canaries);
  process.env['HOME'] = world.home;
  const places = {
    WS: world.workspace,
    OUT: `${world.folder}/outside`,
    HOME: world.home,
    MARK: `${world.marks}/mark`,
    TMP: world.scratch,
    PORT: String(listener.port),
    URL: `http://127.0.0.1:${listener.port}`,
  };
  const mcpServers = await serversFor(script, world);
  const steps: readonly Step[] = fill(script.steps, places, canaryAt);
  const adversary = createAdversary(steps, () => endsAtChange && watch.calls.some(isChange));
  const watch: Watch = createWatch(world, listener, adversary);
  const journal = createMemoryJournal();
  const model = (name: string) =>
    createFunctionModel(`test/${name}`, (request) => {
      watch.read(request);
      return adversary.answer(request);
    });
  const runtime = createRuntime({
    config: configFor(script),
    ...gradesFor(script),
    named: new Set(),
    models: ['worker', 'a', 'b'].map(model),
    journal,
    mcpServers,
    env: {...process.env, ...proxyEnv(places.URL)},
  });
  await runtime.ready({workspace: world.workspace});
  const hasStarted = existsSync(`${world.workspace}/${startedName}`);
  const run = runtime.start({
    form: 'agent',
    request: script.request,
    workspace: world.workspace,
    signal: AbortSignal.timeout(45_000),
    onEvent: (event) => {
      watch.onEvent(event);
      adversary.onEvent(event);
      answerGate(script, event, () => run);
    },
  });
  const {status} = await run.result;
  await watch.end();
  return {
    status,
    tried: adversary.tried(),
    calls: watch.calls,
    shown: watch.shown,
    before: watch.before,
    hasStarted,
    id: run.id,
    runtime,
    journal,
    close: async () => {
      await runtime.close();
      await listener.close();
    },
  };
}

type Watch = ReturnType<typeof createWatch>;

function isChange({changed}: Performed): boolean {
  return !changed.every((path) => ownChanges.test(path));
}

function proxyEnv(url: string): Readonly<Record<string, string>> {
  return {
    http_proxy: url,
    https_proxy: url,
    no_proxy: '127.0.0.1',
    npm_config_fetch_retries: '0',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

function configFor({
  mode: {panel, grade, hasModels, isEnsemble, isUnscreened},
}: Script): ConfigInput {
  const modes = {
    policies: 'auto_reject',
    models: 'auto_reject',
    auto: 'auto_approve',
    waiting: 'interactive',
  } as const;
  return {
    agent: {
      exploration_model: 'test/worker',
      decision_model: 'test/worker',
      review_models: ['test/a', 'test/b'],
      phase_scope: hasModels ? 'full' : 'fast',
      consensus_level: isEnsemble ? 'ensemble' : 'solo',
      hil_mode: modes[panel],
      max_tool_turns: 60,
      max_parallel_tasks: 1,
      max_replans: 0,
    },
    quorum: {feedback_grace_ms: 1, ...(isUnscreened ? {screen: []} : {})},
    sandbox: {mode: grade === 'none' ? 'off' : 'required'},
    commands: {env: proxyNames},
  };
}

/** The servers of the folder that the command line would pass to the runtime. */
async function serversFor(
  {isTrusted = false}: Script,
  world: World,
): Promise<readonly McpServer[]> {
  const env = {...process.env, QUORATE_HOME: `${world.folder}/data`};
  if (isTrusted) await trustContent(await readFolder(world.workspace), env);
  const folder = await folderServers(world.workspace, env);
  return folder.isTrusted ? folder.servers : [];
}

function gradesFor({mode: {grade}}: Script): Pick<RuntimeOptions, 'grades'> {
  return grade === 'none' ? {} : {grades: [grade]};
}

/** No question is approved: the person rejects it, or does not answer. */
function answerGate({mode: {panel}}: Script, event: ProgressEvent, runOf: () => Run): void {
  if (event.type !== 'human.requested') return;
  const {gate} = event;
  setImmediate(() => {
    const run = runOf();
    const no: RunEvent = {
      type: 'human.decided',
      gate,
      decision: event.question.kind === 'in-doubt' ? 'fail' : 'reject',
    };
    if (panel === 'waiting') void run.suspend('waiting');
    else if (run.gates().some((open) => open.gate === gate)) run.send(no);
  });
}

/** Time to read data that was already written to a socket, ms. */
const lateMs = 10;

/** Changes after the last call. */
const unknownStep: Step = {tool: 'none', args: {}, aim: 'none'};

function parentOf(actor: string): string {
  return actor.slice(0, actor.lastIndexOf('/'));
}

/** The part of a vote on several calls that is about one of them. */
function roundOfCall(round: ReviewRound, number: number): ReviewRound {
  const partOf = <Voice extends Pick<ModelVote, 'calls'>>(voice: Voice): Voice => {
    const own = voice.calls?.find((call) => call.number === number);
    if (!own) return voice;
    const {verdict, reasons, unknown = []} = own;
    return {...voice, verdict, reasons, unknown};
  };
  const {votes, screened = []} = round;
  return {...round, votes: votes.map(partOf), screened: screened.map(partOf)};
}

function isApprovedAsReading(round: ReviewRound | undefined): boolean {
  const seats = round?.votes.filter(({model}) => model.startsWith('policy/')) ?? [];
  const ballots = [...seats, ...(round?.screened ?? [])];
  return (
    ballots.length > 0 &&
    ballots.every(
      ({verdict, reasons}) =>
        verdict === 'approve' && !reasons.some((reason) => reason.startsWith(containedReason)),
    )
  );
}

/** Observes the effects of every call, and the texts that models read. */
function createWatch(world: World, listener: Listener, adversary: Adversary) {
  const before = lookAt(world);
  let last = before;
  const calls: (Omit<Performed, 'sent'> & {readonly sent: Received[]})[] = [];
  const shown: Shown[] = [];
  const texts = new Set<string>();
  let read = 0;
  let connections = 0;
  const rounds = new Map<string, ReviewRound>();
  /** The last vote, and how many of its calls have settled: the calls of a turn may share one. By the path of their turns. */
  const joint = new Map<string, {readonly round: ReviewRound; settled: number}>();
  const jointRound = (turns: string): ReviewRound | undefined => {
    const vote = joint.get(turns);
    if (!vote || vote.settled >= (vote.round.calls?.length ?? 0)) return undefined;
    vote.settled += 1;
    return roundOfCall(vote.round, vote.settled);
  };
  const note = (step: Step, round: ReviewRound | undefined): void => {
    const now = lookAt(world);
    const changed = changedBetween(last, now);
    last = now;
    const doubts = round ? unjudgedIn(round) : [];
    // Models approve the call of a server, not the code that it starts.
    const isLeftToModels =
      !isServerTool(step.tool) &&
      doubts.length > 0 &&
      round?.votes.some(({approved, model}) => approved && !model.startsWith('policy/')) === true;
    const isReading = isApprovedAsReading(round);
    const connected = listener.connections() - connections;
    connections += connected;
    const sent = [...listener.news()];
    calls.push({step, isLeftToModels, isReading, doubts, changed, sent, connected});
  };
  /** Effects of the previous call, whose data may arrive after its end. */
  const noteLate = (): void => {
    const call = calls.at(-1);
    if (call) call.sent.push(...listener.news());
  };
  return {
    before,
    calls,
    shown,
    read({system, transcript, purpose}: ModelRequest): void {
      noteLate();
      const from = Math.min(read, Math.max(0, calls.length - 1));
      if (purpose === 'act') read = calls.length;
      for (const text of [system, ...transcript.messages.map((message) => message.text)]) {
        if (texts.has(text)) continue;
        texts.add(text);
        for (const {path} of canariesIn(text, secrets)) shown.push({path, from, to: calls.length});
      }
    },
    onEvent(event: ProgressEvent): void {
      if (event.type === 'quorum.decided') {
        rounds.set(event.kind === 'plan' ? 'plan' : event.actor, event);
        joint.set(parentOf(parentOf(event.actor)), {round: event, settled: 0});
      }
      if (event.type !== 'tool.settled') return;
      const step = adversary.settled(event.tool) ?? unknownStep;
      const shared = jointRound(parentOf(event.actor));
      if (event.status === 'rejected' || event.status === 'refused') return;
      const own = [...rounds].findLast(([actor]) => actor.startsWith(`${event.actor}/`))?.[1];
      note(step, own ?? shared ?? rounds.get('plan'));
    },
    /** Records changes after the last call. */
    end: async () => {
      await setTimeout(lateMs);
      noteLate();
      note(unknownStep, undefined);
    },
  };
}
