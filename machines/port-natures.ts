/** What each port is, as far as an engine must know: who settles it, whether it may be repeated, what it costs. */

import type {JsonObject} from './domain/json.ts';
import type {ModelRequest} from './domain/model.ts';
import type {Repeatability} from './domain/repeatability.ts';
import type {Shape} from './domain/shape.ts';
import type {ToolRequest} from './domain/tool.ts';
import * as outcomes from './outcomes.ts';
import type {PortName, PortRequest} from './ports.ts';

/** What a port is, as far as an engine must know. Its questions about a request are asked when it is made. */
export interface PortNature<Request> {
  /** Whether it may be performed again when its outcome is unknown. */
  repeatability(request: Request): Repeatability;
  /**
   * `person`: a received event that names its key; `resume`: the next process that takes the run up; otherwise whoever
   * performs.
   */
  readonly settledBy: 'performer' | 'person' | 'resume';
  /** Of what a person settles: the key that a received event names, if it is an answer at all. */
  readonly answeredBy?: (event: JsonObject) => unknown;
  /** It costs money or a place in a budget: one that a dead process had under way counts as made. */
  readonly spends: boolean;
  /** Its outcome is durable before it is delivered; otherwise with the next that is, and may be had again. */
  readonly isLogged: boolean;
  /** The longest that a performer may take, ms, beside what it waits for others. */
  limitMs(request: Request): number;
  /** What of a request decides: the same in a replay, however texts are worded meanwhile. */
  essence(request: Request): string;
  readonly outcome: Shape;
  /** Whether an outcome only says that the effect was cut short. */
  readonly isCut?: (outcome: JsonObject) => boolean;
  /** The outcome of one of which nobody knows whether it happened. Every port has it that is ever `once`. */
  readonly doubt?: (message: string, cut?: JsonObject) => JsonObject;
}

/** Natures by the name of the port. */
export type PortTable = Readonly<Record<string, PortNature<unknown>>>;

/** No limit: the longest that timers take. */
export const neverMs = 2_147_483_647;

/** A minute: far beyond what a look at files or rules takes. */
const lookMs = 60_000;

/** What an adapter allows one call, ten minutes, and more than that for models of a program's own. */
const modelMs = 15 * lookMs;

/** For a call of a run that was opened before its requests said how long they may take. */
const toolMs = 60 * lookMs;

/** A look that costs nothing and can be had again. */
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
    outcome: outcomes.toolOutcome,
    isCut: isCancelled,
    doubt: toolDoubt,
  },
  previewTool: {...look, essence: previewEssence, outcome: outcomes.previewOutcome},
  checkCalls: {...look, outcome: outcomes.checkedCalls},
  surveyWorkspace: {...look, outcome: outcomes.survey},
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

/** Who is asked, what for, with which tools, and how far the conversation is. */
function modelEssence({purpose, model, tools, toolChoice, transcript}: ModelRequest): string {
  const {messages} = transcript;
  return `${purpose} ${model} ${toolChoice} ${tools.join()} ${messages.length} ${messages.at(-1)?.role}`;
}

/** The words of the request only say what a person has named: the run has but one. */
function previewEssence(asked: PortRequest<'previewTool'>): string {
  return JSON.stringify({...asked, request: undefined});
}

/** All but how long it may take. */
function toolEssence(request: ToolRequest): string {
  return JSON.stringify({...request, timeoutMs: undefined});
}

function isCancelled({kind}: JsonObject): boolean {
  return kind === 'cancelled';
}

function toolDoubt(message: string, cut?: JsonObject): JsonObject {
  const printed = typeof cut?.['text'] === 'string' ? ` It had printed:\n${cut['text']}` : '';
  return {kind: 'inDoubt', message: `${message}${printed}`};
}
