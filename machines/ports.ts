/**
 * The ports: the only ways in which a chart reaches outside. A port is actor logic that hands its request to whoever
 * performs for its actor system, and is done when the outcome comes back.
 *
 * Binding goes by the actor system rather than by `.provide()`: it reaches every descendant, costs nothing per run,
 * and a system without a performer fails loudly at its first request.
 */

import type {ActorLogic, AnyActorRef, Snapshot} from 'xstate';

import type {Failure} from './domain/failure.ts';
import type {GuardrailResult, GuardrailSettings, GuardrailStage} from './domain/guardrail.ts';
import type {GateDecision, HumanQuestion} from './domain/human.ts';
import type {ModelOutcome, ModelRequest} from './domain/model.ts';
import type {Outage} from './domain/outage.ts';
import type {CheckedCalls} from './domain/plan-changes.ts';
import type {PlannedCall} from './domain/plan.ts';
import type {Proposal} from './domain/review.ts';
import type {PreviewOutcome, PreviewRequest, ToolOutcome, ToolRequest} from './domain/tool.ts';
import type {Report} from './facts/progress.ts';
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

/** Every port's request and outcome, as plain JSON. Outcomes are data: a port never fails for what a run may meet. */
export interface PortContracts {
  /** One call of one model, no retries. Aborted when its actor stops. */
  callModel: {request: ModelRequest; outcome: ModelOutcome};
  /** One run of one tool, from validation of its arguments to its outcome. */
  runTool: {request: ToolRequest; outcome: ToolOutcome};
  /** What a call would do, without doing it. */
  previewTool: {request: PreviewRequest; outcome: PreviewOutcome};
  /**
   * Whether calls name known tools with valid arguments, one problem a line, empty when all are well; and what they
   * would change, of those that say which file they write.
   */
  checkCalls: {
    request: {readonly calls: readonly PlannedCall[]; readonly workspace: string};
    outcome: CheckedCalls;
  };
  /** The files that say what a workspace is: README, AGENTS.md, CLAUDE.md, manifests, and its top-level listing. */
  surveyWorkspace: {
    request: {readonly workspace: string; readonly maxBytes: number};
    outcome: {readonly text: string; readonly read: readonly string[]};
  };
  /** Which of the files are not there (any more). Paths are relative to the workspace. */
  checkFiles: {
    request: {readonly workspace: string; readonly paths: readonly string[]};
    outcome: {readonly missing: readonly string[]};
  };
  /** What the guardrails say of a text. */
  checkText: {
    request: {
      readonly stage: GuardrailStage;
      readonly text: string;
      readonly rules: GuardrailSettings;
    };
    outcome: GuardrailResult;
  };
  /**
   * Reviewers that decide by rule, all on one proposal: a ballot each, in their order. One that gives no valid ballot in time
   * refuses, with the rule `no-verdict`.
   */
  screenProposal: {
    request: {readonly policies: readonly string[]; readonly proposal: Proposal};
    outcome: {readonly ballots: readonly Ballot[]};
  };
  /**
   * Keeps other trees, of this process and of others, from changing the workspace until it is unlocked or the run is left.
   * Settles when it is locked, however long others hold it; or, not locked, when it can't be.
   */
  lockWorkspace: {
    request: {readonly workspace: string};
    outcome: {readonly locked: true} | {readonly locked: false; readonly why: string};
  };
  unlockWorkspace: {request: {readonly workspace: string}; outcome: {readonly locked: false}};
  /** A person's decision. Settles when one is received; without a deadline. */
  askHuman: {request: HumanQuestion; outcome: GateDecision};
  /** What an interview says to the person that it talks with. Settles with what they reply; without a deadline. */
  askPerson: {request: PersonAsked; outcome: PersonReply};
  /** What a person's reply is: an answer, a correction, a wish to pause; by rule. */
  readReply: {request: ReplyToRead; outcome: ReplyReading};
  /** A language, a country or a time zone as somebody named it; by rule. */
  readSetting: {request: SettingToRead; outcome: SettingReading};
  /** What a person's words on a field come to: a typed value, facts, and what is wrong or missing; by rule. */
  checkAnswer: {request: AnswerCheck; outcome: AnswerReading};
  /** The form of this name: a file in the workspace. */
  readQuestionnaire: {
    request: {readonly workspace: string; readonly name: string};
    outcome:
      | {readonly kind: 'read'; readonly questionnaire: Questionnaire}
      | {readonly kind: 'absent' | 'invalid'; readonly problem: string};
  };
  /**
   * What a chart can't go on without. Settles when the run is resumed: it may be there again. A run in which nothing else is
   * at work, and nobody is asked, is suspended.
   */
  awaitResume: {request: Outage; outcome: {readonly resumed: true}};
}

/** A message of an interview that waits for a reply. */
export interface PersonAsked {
  readonly agent: SpeakingAgent;
  readonly message: string;
  /** The message as logs and progress may tell it, where it holds what is nobody else's business. */
  readonly masked?: string;
  /** What is asked, in one line, for a reader who does not see the conversation. */
  readonly question?: string;
  readonly state: InterviewState;
  readonly section?: Section;
  readonly field?: string;
}

export interface PersonReply {
  readonly text: string;
  /** Meant as an answer to this field, whatever was asked; without a text, a wish to be asked about it. */
  readonly field?: string;
  /** Submits the answers as they were shown. */
  readonly confirms?: true;
}

export type PortName = keyof PortContracts;
export type PortRequest<P extends PortName> = PortContracts[P]['request'];
export type PortOutcome<P extends PortName> = PortContracts[P]['outcome'];

/** What the engine adds to every outcome: the entry's time (epoch ms) and how long the effect was at work (ms). */
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
  /** Called synchronously when a port's actor starts; must not deliver before it has returned. */
  request(asked: Asked, actor: AnyActorRef): void;
  /** Called when a port's actor is stopped before its outcome came. */
  withdraw(actor: AnyActorRef): void;
  /** What a chart tells of itself, with the actor that speaks. Must not throw. */
  report(report: Report, actor: AnyActorRef): void;
}

export type AnySystem = AnyActorRef['system'];

const performers = new WeakMap<AnySystem, Performer>();

/** `withdraw` and `report` may be left out by a program that needs neither. */
export type PartialPerformer = Pick<Performer, 'request'> & Partial<Performer>;

/** Has `performer` serve every port of the system, for its lifetime. Call it before the root actor starts. */
export function performFor(system: AnySystem, performer: PartialPerformer): void {
  performers.set(system, {
    request: (asked, actor) => performer.request(asked, actor),
    withdraw: (actor) => performer.withdraw?.(actor),
    report: (told, actor) => performer.report?.(told, actor),
  });
}

export type PortSnapshot<Request, Outcome> = Snapshot<Outcome & Delivered> & {
  input: Request | undefined;
};

export type PortEvent<Outcome> =
  | {readonly type: 'effect.settled'; readonly outcome: Outcome & Delivered}
  /** A bug in whoever performed: the port's actor fails, and its parent hears an error. */
  | {readonly type: 'effect.crashed'; readonly error: Failure}
  | {readonly type: 'xstate.stop'};

export interface PortLogic<Request, Outcome> extends ActorLogic<
  PortSnapshot<Request, Outcome>,
  PortEvent<Outcome>,
  Request
> {}

/** The actor logic of a port by its name: one of {@link PortContracts}, or one that a test makes up. */
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

/** Throws when nobody performs for the system: a bug in whoever started it. */
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
