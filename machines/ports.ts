/**
 * The ports: the only ways in which a chart reaches outside. A port is actor logic that hands its request to the
 * performer of its actor system, and is done when the outcome comes back.
 *
 * The performer is bound to the actor system instead of by `.provide()`: it serves every descendant, costs nothing per run,
 * and a system without a performer fails loudly at its first request.
 */

import type {ActorLogic, AnyActorRef, Snapshot} from 'xstate';

import type {Failure, Outage} from './domain/failure.ts';
import type {GateDecision, HumanQuestion} from './domain/human.ts';
import type {ModelOutcome, ModelRequest} from './domain/model.ts';
import type {CheckedCalls, PlannedCall} from './domain/plan.ts';
import type {Proposal} from './domain/review.ts';
import type {GuardrailResult, GuardrailSettings, GuardrailStage} from './domain/settings.ts';
import type {PreviewOutcome, PreviewRequest, ToolOutcome, ToolRequest} from './domain/tool.ts';
import type {Report} from './facts/progress.ts';
import type {Survey} from './prompts/sections.ts';
import type {
  AnswerCheck,
  AnswerReading,
  ReplyReading,
  ReplyToRead,
  SettingReading,
  SettingToRead,
} from './questionnaire/answer-reading.ts';
import type {InterviewState, Section, SpeakingAgent} from './questionnaire/answers.ts';
import type {Questionnaire} from './questionnaire/questionnaire.ts';
import type {Ballot} from './questions/ballot.ts';

/** Every port's request and outcome, as plain JSON. Outcomes are data: expected problems never make a port fail. */
export interface PortContracts {
  /** One call of one model, no retries. Aborted when its actor stops. */
  callModel: {request: ModelRequest; outcome: ModelOutcome};
  /** One run of one tool, from validation of its arguments to its outcome. */
  runTool: {request: ToolRequest; outcome: ToolOutcome};
  /** The effect of a call, computed without carrying it out. */
  previewTool: {request: PreviewRequest; outcome: PreviewOutcome};
  /**
   * Problems of calls that name unknown tools or have invalid arguments, one a line, empty when all are valid; and the
   * changes that calls would make, if they name the files that they write.
   */
  checkCalls: {
    request: {readonly calls: readonly PlannedCall[]; readonly workspace: string};
    outcome: CheckedCalls;
  };
  /** The listing of a workspace, and the files that describe it: README, manifests. */
  surveyWorkspace: {
    request: {
      readonly workspace: string;
      readonly maxBytes: number;
      /** `work`: with the facts of the machine; `question`: only these facts and the listing. Absent: without them. */
      readonly scope?: 'work' | 'question';
    };
    outcome: Survey;
  };
  /** The files that do not exist (any more). Paths are relative to the workspace. */
  checkFiles: {
    request: {readonly workspace: string; readonly paths: readonly string[]};
    outcome: {readonly missing: readonly string[]};
  };
  /** The guardrails' result for a text. */
  checkText: {
    request: {
      readonly stage: GuardrailStage;
      readonly text: string;
      readonly rules: GuardrailSettings;
    };
    outcome: GuardrailResult;
  };
  /**
   * Ballots of reviewers by rule on one proposal, in the order of the reviewers. A reviewer without a valid ballot in time
   * rejects, with the rule `no-verdict`.
   */
  screenProposal: {
    request: {readonly policies: readonly string[]; readonly proposal: Proposal};
    outcome: {readonly ballots: readonly Ballot[]};
  };
  /**
   * Keeps other trees, in this process and in others, from changing the workspace until it is unlocked or the run is left.
   * Waits as long as others hold the lock. Settles when the workspace is locked, or with `locked: false` when it can't be.
   */
  lockWorkspace: {
    request: {readonly workspace: string};
    outcome: {readonly locked: true} | {readonly locked: false; readonly why: string};
  };
  unlockWorkspace: {request: {readonly workspace: string}; outcome: {readonly locked: false}};
  /** A person's decision. Settles when it is received; has no deadline. */
  askHuman: {request: HumanQuestion; outcome: GateDecision};
  /** A message of an interview to its person. Settles with the person's reply; has no deadline. */
  askPerson: {request: PersonAsked; outcome: PersonReply};
  /** Classifies a person's reply by rule: an answer, a correction, a wish to pause. */
  readReply: {request: ReplyToRead; outcome: ReplyReading};
  /** Parses the name of a language, a country or a time zone, by rule. */
  readSetting: {request: SettingToRead; outcome: SettingReading};
  /** Checks a person's answer to a field, by rule: a typed value, facts, problems and missing facts. */
  checkAnswer: {request: AnswerCheck; outcome: AnswerReading};
  /** The form of this name: a file in the workspace. */
  readQuestionnaire: {
    request: {readonly workspace: string; readonly name: string};
    outcome:
      | {readonly kind: 'read'; readonly questionnaire: Questionnaire}
      | {readonly kind: 'absent' | 'invalid'; readonly problem: string};
  };
  /**
   * Waits for the end of an outage. Settles when the run is resumed, as the outage may be over. A run with no other work
   * and no open question is suspended.
   */
  awaitResume: {request: Outage; outcome: {readonly resumed: true}};
}

/** A message of an interview that waits for a reply. */
export interface PersonAsked {
  readonly agent: SpeakingAgent;
  readonly message: string;
  /** The message for logs and progress, if it contains private answers. */
  readonly masked?: string;
  /** The question in one line, for a reader who does not see the conversation. */
  readonly question?: string;
  readonly state: InterviewState;
  readonly section?: Section;
  readonly field?: string;
}

export interface PersonReply {
  readonly text: string;
  /** The text answers this field instead of the one asked; without a text, a wish to be asked about it. */
  readonly field?: string;
  /** Submits the answers as they were shown. */
  readonly confirms?: true;
}

export type PortName = keyof PortContracts;
export type PortRequest<P extends PortName> = PortContracts[P]['request'];
export type PortOutcome<P extends PortName> = PortContracts[P]['outcome'];

/** The engine adds to every outcome: the entry's time (epoch ms) and the duration of the effect (ms). */
export interface Delivered {
  readonly at: number;
  readonly ms: number;
}

/** An outcome as a chart's `onDone` sees it. */
export type Settled<P extends PortName> = PortOutcome<P> & Delivered;

/** A request with the port that it goes to. */
export type Asked = {
  readonly [P in PortName]: {readonly port: P; readonly request: PortRequest<P>};
}[PortName];

/** Performs for one actor system. */
export interface Performer {
  /**
   * Called synchronously when a port's actor starts; must not deliver before it has returned. `port`: the id that the port's
   * actor has below `actor`, when a chart makes the request without one: the actor of the chart receives the outcome.
   */
  request(asked: Asked, actor: AnyActorRef, port?: string): void;
  /** Called when an actor that requested is stopped before its outcome came. */
  withdraw(actor: AnyActorRef): void;
  /** Called with a report of a chart and the reporting actor. Must not throw. */
  report(report: Report, actor: AnyActorRef): void;
  /** True: charts take their usual way (`usual-way.ts`). Absent: they take every transition, for readers of their states. */
  readonly takesUsualWay?: boolean;
}

export type AnySystem = AnyActorRef['system'];

const performers = new WeakMap<AnySystem, Performer>();

/** `withdraw` and `report` may be left out by a program that needs neither. */
export type PartialPerformer = Pick<Performer, 'request'> & Partial<Performer>;

/** Has `performer` serve every port of the system, for its lifetime. Call it before the root actor starts. */
export function performFor(system: AnySystem, performer: PartialPerformer): void {
  performers.set(system, {
    request: (asked, actor, port) => performer.request(asked, actor, port),
    withdraw: (actor) => performer.withdraw?.(actor),
    report: (progress, actor) => performer.report?.(progress, actor),
    takesUsualWay: performer.takesUsualWay === true,
  });
}

export function takesUsualWay(system: AnySystem): boolean {
  return performers.get(system)?.takesUsualWay === true;
}

export type PortSnapshot<Request, Outcome> = Snapshot<Outcome & Delivered> & {
  input: Request | undefined;
};

export type PortEvent<Outcome> =
  | {readonly type: 'effect.settled'; readonly outcome: Outcome & Delivered}
  /** A bug of the performer: the port's actor fails, and its parent receives an error. */
  | {readonly type: 'effect.crashed'; readonly error: Failure}
  | {readonly type: 'xstate.stop'};

export interface PortLogic<Request, Outcome> extends ActorLogic<
  PortSnapshot<Request, Outcome>,
  PortEvent<Outcome>,
  Request
> {}

/** The actor logic of a port by its name: one of {@link PortContracts}, or a port of a test. */
export function createPort<Request, Outcome>(port: string): PortLogic<Request, Outcome> {
  return {
    getInitialSnapshot: (_scope, input) => ({
      status: 'active',
      output: undefined,
      error: undefined,
      input,
    }),
    start: (snapshot, {self, system}) =>
      performerOf(system).request({port, request: snapshot.input} as Asked, self),
    transition: (snapshot, event, {self, system}) => {
      if (snapshot.status !== 'active') return snapshot;
      if (event.type === 'effect.settled') {
        return {status: 'done', output: event.outcome, error: undefined, input: undefined};
      }
      if (event.type === 'effect.crashed') {
        return {status: 'error', output: undefined, error: event.error, input: undefined};
      }
      if (event.type !== 'xstate.stop') return snapshot;
      performerOf(system).withdraw(self);
      return {status: 'stopped', output: undefined, error: undefined, input: undefined};
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}

/** Throws when the system has no performer: a bug of the program that started it. */
export function performerOf(system: AnySystem): Performer {
  const performer = performers.get(system);
  if (!performer) {
    throw new Error('this actor system has no performer: call performFor(actor.system, …) first');
  }
  return performer;
}

/** Under one name, so that the types of charts stay short. */
export interface Port<P extends PortName> extends PortLogic<PortRequest<P>, PortOutcome<P>> {}

function portOf<P extends PortName>(port: P): Port<P> {
  return createPort(port);
}

export const callModel = portOf('callModel');
export const runTool = portOf('runTool');
export const previewTool = portOf('previewTool');
export const checkCalls = portOf('checkCalls');
export const surveyWorkspace = portOf('surveyWorkspace');
export const checkFiles = portOf('checkFiles');
export const checkText = portOf('checkText');
export const screenProposal = portOf('screenProposal');
export const lockWorkspace = portOf('lockWorkspace');
export const unlockWorkspace = portOf('unlockWorkspace');
export const askHuman = portOf('askHuman');
export const askPerson = portOf('askPerson');
export const readReply = portOf('readReply');
export const readSetting = portOf('readSetting');
export const checkAnswer = portOf('checkAnswer');
export const readQuestionnaire = portOf('readQuestionnaire');
export const awaitResume = portOf('awaitResume');
