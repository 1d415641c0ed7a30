/** Properties of each port for engines: who settles it, whether it may be repeated, whether it costs money. */

import type {JsonObject} from './domain/json.ts';
import type {ModelRequest} from './domain/model.ts';
import type {Shape} from './domain/shape.ts';
import type {Repeatability} from './domain/tool.ts';
import {callHash, type ToolRequest} from './domain/tool.ts';
import * as outcomes from './outcomes.ts';
import type {PortName, PortRequest} from './ports.ts';

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

export const ports: {readonly [P in PortName]: PortNature<PortRequest<P>>} = {
  callModel: {
    ...look,
    spends: true,
    isLogged: true,
    limitMs: () => modelMs,
    essence: modelEssence,
    outcome: outcomes.modelOutcome,
    isCut: isCancelled,
  },
  runTool: {
    ...look,
    repeatability: ({repeatability}) => repeatability,
    limitMs: ({timeoutMs = toolMs}) => timeoutMs,
    essence: toolEssence,
    audited: auditedCall,
    outcome: outcomes.toolOutcome,
    isCut: isCancelled,
    doubt: toolDoubt,
  },
  previewTool: {...look, essence: previewEssence, outcome: outcomes.previewOutcome},
  checkCalls: {...look, outcome: outcomes.checkedCalls},
  surveyWorkspace: {
    ...look,
    essence: ({workspace, maxBytes}) => JSON.stringify({workspace, maxBytes}),
    outcome: outcomes.survey,
  },
  checkFiles: {...look, outcome: outcomes.missing},
  checkText: {...look, outcome: outcomes.guardrailResult},
  screenProposal: {
    ...look,
    essence: ({policies, proposal: {kind, hash}}) => `${policies.join(' ')} ${kind} ${hash}`,
    outcome: outcomes.policyBallots,
  },
  lockWorkspace: {...look, limitMs: () => neverMs, outcome: outcomes.locked},
  unlockWorkspace: {...look, outcome: outcomes.locked},
  askHuman: {
    ...look,
    settledBy: 'person',
    answeredBy: ({type, gate}) => (type === 'human.decided' ? gate : undefined),
    isLogged: true,
    limitMs: () => neverMs,
    essence: ({kind, proposalHash, allowed}) => `${kind} ${proposalHash} ${allowed.join(' ')}`,
    outcome: outcomes.decision,
  },
  askPerson: {
    ...look,
    settledBy: 'person',
    answeredBy: ({type, ask}) => (type === 'person.replied' ? ask : undefined),
    isLogged: true,
    limitMs: () => neverMs,
    essence: ({agent, state, section = '', field = ''}) => `${agent} ${state} ${section} ${field}`,
    outcome: outcomes.personReply,
  },
  readReply: {...look, outcome: outcomes.replyReading},
  readSetting: {...look, outcome: outcomes.settingReading},
  checkAnswer: {...look, outcome: outcomes.answerReading},
  readQuestionnaire: {...look, isLogged: true, outcome: outcomes.questionnaireReading},
  awaitResume: {
    ...look,
    settledBy: 'resume',
    isLogged: true,
    limitMs: () => neverMs,
    essence: ({code, model = ''}) => `${code} ${model}`,
    outcome: outcomes.resumed,
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
