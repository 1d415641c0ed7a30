/** Properties of each port for engines: who settles it, whether it may be repeated, whether it costs money. */

import type {AnyActorRef} from 'xstate';

import {
  anyObject,
  asJson,
  boolean,
  byKind,
  type JsonObject,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  type Shape,
  share,
  text,
} from './domain/json.ts';
import type {ModelRequest} from './domain/model.ts';
import {callHash, type Repeatability, type ToolRequest} from './domain/tool.ts';
import type {Asked, Delivered, PortName, PortOutcome, PortRequest} from './ports.ts';

/** Properties of a port for an engine. Functions of a request are called when the request is made. */
export interface PortNature<Request> {
  /** How the effect may be performed again when its outcome is unknown. */
  repeatability(request: Request): Repeatability;
  /**
   * `person`: a received event that names its key; `resume`: the next process that resumes the run; `performer`: the
   * performer.
   */
  readonly settledBy: 'performer' | 'person' | 'resume';
  /** For ports that a person settles: the key that a received event names, if the event is an answer. */
  readonly answeredBy?: (event: JsonObject) => unknown;
  /** It costs money or counts against a budget: a call in flight when its process died counts as made. */
  readonly spends: boolean;
  /** Its outcome is durable before it is delivered. Otherwise it becomes durable with the next logged one, and can be repeated. */
  readonly isLogged: boolean;
  /** The maximum duration for a performer, in ms, without its waits for others. */
  limitMs(request: Request): number;
  /** The parts of a request that identify it in a replay, even if texts were reworded since. */
  essence(request: Request): string;
  /** Members of its `requested` entry, for audit. */
  audited?(request: Request): AuditedCall;
  readonly outcome: Shape;
  /** True for an outcome that only reports that the effect was aborted. */
  readonly isCut?: (outcome: JsonObject) => boolean;
  /** The outcome of an effect that may or may not have happened. Required for every port that can be `once`. */
  readonly doubt?: (message: string, cut?: JsonObject) => JsonObject;
}

/** A tool call as a journal identifies it. */
export interface AuditedCall {
  readonly tool: string;
  readonly callHash: string;
  readonly approval?: string;
}

/** Natures by the name of the port. */
export type PortTable = Readonly<Record<string, PortNature<unknown>>>;

/** No limit: the longest that timers take. */
export const neverMs = 2_147_483_647;

/** A minute: far more than reading files or evaluating rules takes. */
const lookMs = 60_000;

/** More than an adapter allows for one call, ten minutes, because a program's own models may take longer. */
const modelMs = 15 * lookMs;

/** For calls of runs of earlier versions, whose requests have no time limit. */
const toolMs = 60 * lookMs;

/** A free effect that can be repeated. */
const look = {
  repeatability: (): Repeatability => 'repeatable',
  settledBy: 'performer',
  spends: false,
  isLogged: false,
  limitMs: () => lookMs,
  essence: (request: unknown) => JSON.stringify(request),
} as const;

// The shape of each port's outcome, as far as charts rely on it. An outcome that does not fit is a bug of its performer.

const withMessage = objectOf({message: text});
const refusal = objectOf({code: text, message: text});

const modelOutcome: Shape = byKind(
  'kind',
  {
    ok: objectOf({
      text,
      calls: listOf(objectOf({id: text, name: text, args: anyObject})),
      opaque: optional(objectOf({model: text})),
    }),
  },
  withMessage,
);

const lines = {added: number, removed: number, diff: optional(text)};
const change = objectOf({path: text, ...lines, net: optional(listOf(objectOf(lines)))});

const confinement = oneOf('bubblewrap', 'landlock', 'seatbelt', 'none');

const commandRecord = {
  confinement: optional(confinement),
  written: optional(listOf(text)),
  changes: optional(listOf(change)),
  checks: optional(listOf(objectOf({kind: text, status: text}))),
};

const toolOutcome: Shape = byKind(
  'kind',
  {
    succeeded: objectOf({
      text,
      exitCode: optional(number),
      found: optional(listOf(text)),
      ...commandRecord,
    }),
    failed: objectOf({code: text, message: text, text: optional(text), ...commandRecord}),
    refused: refusal,
    inDoubt: withMessage,
    cancelled: withMessage,
  },
  objectOf({kind: oneOf('succeeded', 'failed', 'refused', 'inDoubt', 'cancelled')}),
);

const previewOutcome: Shape = byKind(
  'kind',
  {
    ready: objectOf({
      args: anyObject,
      preview: text,
      facts: optional(listOf(text)),
      confinement: optional(confinement),
      allow: optional(
        listOf(objectOf({folder: text, command: text, match: oneOf('exact', 'prefix')})),
      ),
    }),
    refused: refusal,
  },
  objectOf({kind: oneOf('ready', 'refused')}),
);

const checkedCalls: Shape = objectOf({
  problems: listOf(text),
  changes: optional(listOf(objectOf({task: text, preview: text, basedOn: optional(text)}))),
});
const survey: Shape = objectOf({
  text,
  read: listOf(text),
  files: optional(number),
  sources: optional(listOf(objectOf({path: text, text}))),
  machine: optional(
    objectOf({facts: listOf(text), git: optional(objectOf({status: text, subjects: text}))}),
  ),
});
const locked: Shape = objectOf({locked: boolean});
const resumed: Shape = objectOf({resumed: boolean});
const missing: Shape = objectOf({missing: listOf(text)});

const guardrailResult: Shape = objectOf({
  action: oneOf('allow', 'warn', 'block'),
  reason: text,
  details: anyObject,
});

/** At least one reason: a verdict without a reason can't be weighed. */
const ballot: Shape = objectOf({
  verdict: oneOf('approve', 'reject', 'abstain'),
  reasons: listOf(text, 1),
  confidence: share,
  suggestedChange: optional(text),
  rules: optional(listOf(text)),
  unknown: optional(listOf(text)),
  comments: optional(listOf(objectOf({file: text, severity: text, message: text}))),
  calls: optional(
    listOf(
      objectOf({
        number,
        verdict: oneOf('approve', 'reject', 'abstain'),
        reasons: listOf(text, 1),
        rules: optional(listOf(text)),
        unknown: optional(listOf(text)),
      }),
    ),
  ),
});

const policyBallots: Shape = objectOf({ballots: listOf(ballot)});

const decision: Shape = byKind(
  'decision',
  {
    edit: objectOf({plan: anyObject}),
    revise: objectOf({reason: text}),
    answer: objectOf({content: anyObject}),
  },
  objectOf({decision: oneOf('approve', 'always', 'reject', 'retry', 'done', 'fail')}),
);

const personReply: Shape = objectOf({text, field: optional(text)});

const fieldChange = {field: text, text: optional(text)};

const correction = objectOf({
  ...fieldChange,
  more: optional(listOf(objectOf(fieldChange))),
  unread: optional(listOf(text)),
});

const route = byKind(
  'kind',
  {language: objectOf({language: text}), correct: correction},
  objectOf({kind: text}),
);

const replyReading: Shape = objectOf({
  route,
  found: listOf(objectOf({field: text, quote: text})),
});

const settingReading: Shape = objectOf({value: optional(text), problem: optional(text)});

const answerReading: Shape = objectOf({
  facts: anyObject,
  problems: listOf(text),
  missing: listOf(text),
  suffices: boolean,
});

const questionnaireReading: Shape = byKind(
  'kind',
  {read: objectOf({questionnaire: anyObject})},
  objectOf({kind: oneOf('absent', 'invalid'), problem: text}),
);

export const ports: {readonly [P in PortName]: PortNature<PortRequest<P>>} = {
  callModel: {
    ...look,
    spends: true,
    isLogged: true,
    limitMs: () => modelMs,
    essence: modelEssence,
    outcome: modelOutcome,
    isCut: isCancelled,
  },
  runTool: {
    ...look,
    repeatability: ({repeatability}) => repeatability,
    limitMs: ({timeoutMs = toolMs}) => timeoutMs,
    essence: toolEssence,
    audited: auditedCall,
    outcome: toolOutcome,
    isCut: isCancelled,
    doubt: toolDoubt,
  },
  previewTool: {...look, essence: previewEssence, outcome: previewOutcome},
  checkCalls: {...look, outcome: checkedCalls},
  surveyWorkspace: {
    ...look,
    essence: ({workspace, maxBytes}) => JSON.stringify({workspace, maxBytes}),
    outcome: survey,
  },
  checkFiles: {...look, outcome: missing},
  checkText: {...look, outcome: guardrailResult},
  screenProposal: {
    ...look,
    essence: ({policies, proposal: {kind, hash}}) => `${policies.join(' ')} ${kind} ${hash}`,
    outcome: policyBallots,
  },
  lockWorkspace: {...look, limitMs: () => neverMs, outcome: locked},
  unlockWorkspace: {...look, outcome: locked},
  askHuman: {
    ...look,
    settledBy: 'person',
    answeredBy: ({type, gate}) => (type === 'human.decided' ? gate : undefined),
    isLogged: true,
    limitMs: () => neverMs,
    // Questions of runs of earlier versions do not offer `revise`.
    essence: ({kind, proposalHash, allowed}) =>
      `${kind} ${proposalHash} ${allowed.filter((each) => each !== 'revise').join(' ')}`,
    outcome: decision,
  },
  askPerson: {
    ...look,
    settledBy: 'person',
    answeredBy: ({type, ask}) => (type === 'person.replied' ? ask : undefined),
    isLogged: true,
    limitMs: () => neverMs,
    essence: ({agent, state, section = '', field = ''}) => `${agent} ${state} ${section} ${field}`,
    outcome: personReply,
  },
  readReply: {...look, outcome: replyReading},
  readSetting: {...look, outcome: settingReading},
  checkAnswer: {...look, outcome: answerReading},
  readQuestionnaire: {...look, isLogged: true, outcome: questionnaireReading},
  awaitResume: {
    ...look,
    settledBy: 'resume',
    isLogged: true,
    limitMs: () => neverMs,
    essence: ({code, model = ''}) => `${code} ${model}`,
    outcome: resumed,
  },
};

/** The model, the purpose, the tools, and the length of the conversation. */
function modelEssence({purpose, model, tools, toolChoice, transcript}: ModelRequest): string {
  const {messages} = transcript;
  return `${purpose} ${model} ${toolChoice} ${tools.join()} ${messages.length} ${messages.at(-1)?.role}`;
}

/** Without the person's request, which is the same for the whole run. */
function previewEssence(asked: PortRequest<'previewTool'>): string {
  return JSON.stringify({...asked, request: undefined});
}

/** All members except the time limit. */
function toolEssence(request: ToolRequest): string {
  return JSON.stringify({...request, timeoutMs: undefined});
}

function auditedCall({tool, args, approval}: ToolRequest): AuditedCall {
  return {
    tool,
    callHash: callHash(tool, args),
    ...(approval === undefined ? {} : {approval}),
  };
}

function isCancelled({kind}: JsonObject): boolean {
  return kind === 'cancelled';
}

function toolDoubt(message: string, cut?: JsonObject): JsonObject {
  const printed = typeof cut?.['text'] === 'string' ? ` It had printed:\n${cut['text']}` : '';
  return {kind: 'inDoubt', message: `${message}${printed}`};
}

export const policyBallot: Shape = objectOf({ballot});

// For programs that run a chart alone: the outcome of a request, checked, on its way to the actor that waits for it.

/**
 * Settles the request of the port's `actor`. `at` is epoch ms, `ms` the duration. Throws TypeError for an outcome that does
 * not fit the port: the actor continues to wait.
 */
export function settle<A extends Asked>(
  actor: AnyActorRef,
  {port}: A,
  outcome: PortOutcome<A['port']>,
  {at = 0, ms = 0}: Partial<Delivered> = {},
): void {
  const problem = ports[port].outcome(asJson(outcome), `the outcome of ${port}`);
  if (problem !== undefined) throw new TypeError(problem);
  actor.send({type: 'effect.settled', outcome: {...outcome, at, ms}});
}
