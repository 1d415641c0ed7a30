/**
 * A poll of seats in parallel, each with a question or as a speaker, with a deadline.
 *
 * polling → complete; late, when the deadline passes before all seats have answered: the output has a `lateAnswer` for each
 * remaining seat; thinned, when enough have answered and the rest can't be called; unserved, when all remaining models can't
 * be called, until they are asked again. The parent may end the poll sooner by stopping it: the remaining seats are withdrawn.
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendParent,
  setup,
  stopChild,
} from 'xstate';

import {outputIn} from '../actor-end.ts';
import {type Outage, outageIn, toFailure} from '../domain/failure.ts';
import {ownMember} from '../domain/json.ts';
import {isOutage, type ModelOutcome, type ModelRequest} from '../domain/model.ts';
import {asChart} from '../machine-type.ts';
import {modelCallMachine} from '../model-call.ts';
import {awaitResume, type Delivered} from '../ports.ts';
import {
  isUnserved,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  whyUnanswered,
} from '../questions/question.ts';
import type {Answer} from '../questions/questions.ts';
import {isUnseated} from '../tree/mode.ts';

type PollEvent = DoneActorEvent<SeatOutput, SeatId> | ErrorActorEvent<unknown, SeatId>;

const machine = setup({
  types: {} as {
    context: PollState;
    input: PollInput;
    output: PollOutput;
    events: PollEvent;
  },
  actors: {awaitResume, modelCall: modelCallMachine, question: questionMachine},
  actions: {
    askSeats: enqueueActions(({context, enqueue}) => {
      for (const seat of seatsOut(context)) {
        const id = seatActor(seat.id);
        const waitMs = context.deadlineMs;
        if (seat.filledBy === 'speaker')
          enqueue.spawnChild('modelCall', {id, input: {...seat.ask, waitMs}});
        if (seat.filledBy === 'model')
          enqueue.spawnChild('question', {id, input: {...seat.ask, waitMs}});
      }
    }),
    takeAnswer: assign(({context}, answer: ActorAnswer) => taken(context, answer)),
    takeMiss: assign(({context: {missed}}, {seat, outage}: Miss) => ({
      missed: {...missed, [seat]: outage},
    })),
    reportMiss: sendParent(({context: {subject}}, {seat, because}: Miss) => ({
      type: 'seat.missed',
      subject,
      seat,
      because,
    })),
    silenceLate: enqueueActions(({context, enqueue}) => {
      for (const {id} of seatsAtWork(context)) {
        const answer = {actorId: seatActor(id), answer: lateAnswer};
        enqueue.stopChild(answer.actorId);
        enqueue.assign(({context: now}) => taken(now, answer));
        enqueue.sendParent(seatAnswered(context, answer));
      }
    }),
    askAgain: enqueueActions(({context, enqueue, self}) => {
      const missed = Object.entries(context.missed);
      for (const [seat] of missed) {
        enqueue.sendParent({type: 'seat.asked', subject: context.subject, seat});
      }
      for (const [seat, {model = seat}] of missed) {
        if (!isUnseated(self, model)) continue;
        const answer = {actorId: seatActor(seat), answer: unseatedAnswer};
        enqueue.assign(({context: now}) => taken(now, answer));
        enqueue.sendParent(seatAnswered(context, answer));
      }
      enqueue.assign({missed: {}});
    }),
    dismiss: stopChild((_, {actorId}: {readonly actorId: string}) => actorId),
    reportAnswer: sendParent(({context}, answer: ActorAnswer) => seatAnswered(context, answer)),
  },
  guards: {
    isComplete: ({context}) => seatsOut(context).length === 0,
    isUnserved: ({context}) => seatsAtWork(context).length === 0,
    isThinned: ({context}) => seatsAtWork(context).length === 0 && hasEnough(context),
    isWaitedFor: ({context}) => Object.keys(context.missed).length > 0 && !hasEnough(context),
    isMissed: (_, output: SeatOutput) => isMissed(output),
  },
  delays: {deadline: ({context}) => context.deadlineMs},
}).createMachine({
  id: 'poll',
  context: ({input}) => ({...input, answers: {}, missed: {}}),
  initial: 'polling',
  states: {
    polling: {
      entry: 'askSeats',
      always: [
        {guard: 'isComplete', target: 'complete'},
        {guard: 'isThinned', target: 'thinned'},
        {guard: 'isUnserved', target: 'unserved'},
      ],
      on: {
        'xstate.done.actor.*': [
          {
            guard: {type: 'isMissed', params: outputIn},
            actions: [
              {type: 'takeMiss', params: ({context, event}) => missFrom(context, event)},
              {type: 'dismiss', params: ({event}) => event},
              {type: 'reportMiss', params: ({context, event}) => missFrom(context, event)},
            ],
          },
          {
            actions: [
              {type: 'takeAnswer', params: ({event}) => answerFrom(event)},
              {type: 'dismiss', params: ({event}) => event},
              {type: 'reportAnswer', params: ({event}) => answerFrom(event)},
            ],
          },
        ],
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeAnswer', params: ({event}) => silenceFrom(event)},
            {type: 'reportAnswer', params: ({event}) => silenceFrom(event)},
          ],
        },
      },
      after: {
        deadline: [
          {guard: 'isWaitedFor', target: 'unserved', actions: 'silenceLate'},
          {target: 'late'},
        ],
      },
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => lackOf(context),
        onDone: {target: 'polling', actions: 'askAgain'},
        onError: 'late',
      },
    },
    complete: {type: 'final'},
    late: {type: 'final'},
    thinned: {type: 'final'},
  },
  output: ({context}) => allAnswers(context),
});

// Requests to the seats of a poll and their answers, as data.

const lateAnswer = unanswered('deadline passed');
const unseatedAnswer = unanswered('no longer on the panel');

export const pollMachine = asChart<PollState, PollEvent, PollInput, PollOutput>(machine);

/** A seat whose model answers a structured question, or a speaker that replies in prose. */
export type PollSeat =
  | {readonly id: string; readonly filledBy: 'model'; readonly ask: QuestionInput}
  | {readonly id: string; readonly filledBy: 'speaker'; readonly ask: ModelRequest};

export interface PollInput {
  /** The subject of the poll, such as a proposal's hash: every answer is reported with it. */
  readonly subject: string;
  /** Ids are unique. */
  readonly seats: readonly PollSeat[];
  readonly deadlineMs: number;
  /** With this many answers the poll ends without seats that can't be called. Absent: it waits for them. */
  readonly enough?: number;
}

/** The answer of a seat, or why there is none. `at`: epoch ms, 0 without a reply. `ms`: duration, absent without a reply. */
export type SeatAnswer = {readonly at: number; readonly ms?: number} & (
  | ({readonly kind: 'answered'} & Answer)
  | {readonly kind: 'said'; readonly text: string}
  | {
      readonly kind: 'unanswered';
      readonly because: string;
      /** The problems of its answer. */
      readonly detail?: string;
      /** Set if its model could not be called, but may be available later. */
      readonly outage?: Outage;
    }
);

/** To the parent of the poll: an answer has arrived. */
export interface SeatAnswered {
  readonly type: 'seat.settled';
  readonly subject: string;
  readonly seat: string;
  readonly answer: SeatAnswer;
}

/** To the parent of the poll: a seat's model can't be called. It is asked again when the run is resumed. */
export interface SeatMissed {
  readonly type: 'seat.missed';
  readonly subject: string;
  readonly seat: string;
  /** A short reason for the record. */
  readonly because: string;
}

/** To the parent of the poll: a missed seat is asked again. */
export interface SeatAsked {
  readonly type: 'seat.asked';
  readonly subject: string;
  readonly seat: string;
}

/** By seat; every seat has an answer. */
export type PollOutput = Readonly<Record<string, SeatAnswer>>;

export interface PollState extends PollInput {
  readonly answers: PollOutput;
  /** Outages of seats that could not be asked. */
  readonly missed: Readonly<Record<string, Outage>>;
}

type SeatId = `seat:${string}`;
type SeatOutput = QuestionOutput | (ModelOutcome & Delivered);

interface ActorAnswer {
  readonly actorId: string;
  readonly answer: SeatAnswer;
}

interface Miss {
  readonly seat: string;
  readonly outage: Outage;
  readonly because: string;
}

/** Seats without an answer. */
function seatsOut({seats, answers}: PollState): readonly PollSeat[] {
  return seats.filter(({id}) => !Object.hasOwn(answers, id));
}

/** Seats without an answer that may still give one. */
function seatsAtWork(state: PollState): readonly PollSeat[] {
  return seatsOut(state).filter(({id}) => !Object.hasOwn(state.missed, id));
}

/** True if the poll can end without the seats that can't be called. */
function hasEnough({enough, answers}: PollState): boolean {
  if (enough === undefined) return false;
  return Object.values(answers).filter(({kind}) => kind !== 'unanswered').length >= enough;
}

/** The outage of the first missed seat. */
function lackOf({missed}: PollState): Outage {
  const [outage] = Object.values(missed);
  return outageIn(outage ? {outage} : {});
}

function seatActor(seat: string): SeatId {
  return `seat:${encodeURIComponent(seat)}`;
}

function seatOfActor(actorId: string): string {
  return decodeURIComponent(actorId.slice('seat:'.length));
}

function taken({answers}: PollState, {actorId, answer}: ActorAnswer): Partial<PollState> {
  return {answers: {...answers, [seatOfActor(actorId)]: answer}};
}

function seatAnswered({subject}: PollState, {actorId, answer}: ActorAnswer): SeatAnswered {
  return {type: 'seat.settled', subject, seat: seatOfActor(actorId), answer};
}

function isMissed(output: SeatOutput): boolean {
  return missIn(output) !== undefined;
}

function missIn(output: SeatOutput): Outage | undefined {
  if (isOfQuestion(output)) return isUnserved(output) ? whyUnanswered(output) : undefined;
  if (output.kind === 'ok' || !isOutage(output.kind)) return undefined;
  return {code: output.kind, message: output.message};
}

function isOfQuestion(output: SeatOutput): output is QuestionOutput {
  return output.kind === 'answered' || output.kind === 'unanswered';
}

function missFrom({seats}: PollState, {actorId, output}: DoneActorEvent<SeatOutput, SeatId>): Miss {
  const seat = seatOfActor(actorId);
  const model = seats.find(({id}) => id === seat)?.ask.model ?? seat;
  const failure = missIn(output) ?? toFailure('it could not be asked');
  return {seat, outage: {model, ...failure}, because: outageReason(failure)};
}

function outageReason({code, message}: Outage): string {
  return `${code}: ${message}`;
}

function answerFrom({actorId, output}: DoneActorEvent<SeatOutput, SeatId>): ActorAnswer {
  return {actorId, answer: seatAnswer(output)};
}

function seatAnswer(output: SeatOutput): SeatAnswer {
  if (!isOfQuestion(output)) return speakerAnswer(output);
  const {at, ms} = output;
  if (output.kind === 'unanswered') {
    const {because, failure} = output;
    const {detail} = failure;
    return {kind: 'unanswered', because, ...(detail === undefined ? {} : {detail}), at, ms};
  }
  const {asked: _, transcript: __, ...answer} = output;
  return answer;
}

function speakerAnswer(outcome: ModelOutcome & Delivered): SeatAnswer {
  const {at, ms, kind} = outcome;
  if (kind !== 'ok') return {kind: 'unanswered', because: `${kind}: ${outcome.message}`, at, ms};
  const text = outcome.text.toWellFormed().trim();
  return text === ''
    ? {kind: 'unanswered', because: 'it said nothing', at, ms}
    : {kind: 'said', text, at, ms};
}

/** A seat whose actor crashed, which is a bug, counts as unanswered. */
function silenceFrom({actorId, error}: ErrorActorEvent<unknown, SeatId>): ActorAnswer {
  return {actorId, answer: unanswered(toFailure(error).message)};
}

function unanswered(because: string): SeatAnswer {
  return {kind: 'unanswered', because, at: 0};
}

function allAnswers({seats, answers, missed}: PollState): PollOutput {
  return Object.fromEntries(
    seats.map(({id}) => [id, ownMember(answers, id) ?? missingAnswer(ownMember(missed, id))]),
  );
}

function missingAnswer(outage: Outage | undefined): SeatAnswer {
  if (!outage) return lateAnswer;
  return {kind: 'unanswered', because: outageReason(outage), at: 0, outage};
}
