/**
 * Seats asked side by side, each its own question or a policy, by a deadline.
 *
 * polling → complete; late, when the deadline passes over seats that are still out; unserved, when only models are out
 * that can't be called, until these are asked again. Who asks may end it sooner by stopping it: what is still out is
 * withdrawn.
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

import {toFailure} from '../domain/failure.ts';
import {lackIn, type Outage} from '../domain/outage.ts';
import type {Answer} from '../domain/questions.ts';
import {asChart} from '../machine-type.ts';
import {awaitResume, consultPolicy, type PortRequest, type Settled} from '../ports.ts';
import {
  isUnserved,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  whyUnanswered,
} from '../question.ts';
import {isUnseated} from '../tree/mode.ts';

/** A seat and who fills it. A policy answers with a ballot. */
export type PollSeat =
  | {readonly id: string; readonly filledBy: 'model'; readonly ask: QuestionInput}
  | {
      readonly id: string;
      readonly filledBy: 'policy';
      readonly ask: PortRequest<'consultPolicy'>;
    };

export interface PollInput {
  /** What is polled on, such as a proposal's hash: every answer is told with it. */
  readonly subject: string;
  /** Ids are unique. */
  readonly seats: readonly PollSeat[];
  readonly deadlineMs: number;
}

/** What a seat said, or why nothing. `at` is epoch ms and 0, `ms` its time at work and absent, when nothing came. */
export type SeatAnswer = {readonly at: number; readonly ms?: number} & (
  | ({readonly kind: 'answered'} & Answer)
  | {readonly kind: 'unanswered'; readonly because: string}
);

/** To whoever polls, at each arrival. */
export interface SeatHeard {
  readonly type: 'seat.heard';
  readonly subject: string;
  readonly seat: string;
  readonly answer: SeatAnswer;
}

/** To whoever polls: a seat's model can't be called. It is still out, and is asked again when the run is resumed. */
export interface SeatMissed {
  readonly type: 'seat.missed';
  readonly subject: string;
  readonly seat: string;
  /** In a few words, for the record. */
  readonly because: string;
}

/** To whoever polls: a seat that was missed is asked again. */
export interface SeatAsked {
  readonly type: 'seat.asked';
  readonly subject: string;
  readonly seat: string;
}

/** By seat; every seat has an answer. */
export type PollOutput = Readonly<Record<string, SeatAnswer>>;

export interface PollContext extends PollInput {
  readonly answers: PollOutput;
  /** Why seats could not be asked. */
  readonly missed: Readonly<Record<string, Outage>>;
}

type SeatId = `seat:${string}`;
type SeatOutput = QuestionOutput | Settled<'consultPolicy'>;

type PollEvent = DoneActorEvent<SeatOutput, SeatId> | ErrorActorEvent<unknown, SeatId>;

const machine = setup({
  types: {} as {
    context: PollContext;
    input: PollInput;
    output: PollOutput;
    events: PollEvent;
  },
  actors: {awaitResume, consultPolicy, question: questionMachine},
  actions: {
    askSeats: enqueueActions(({context, enqueue}) => {
      for (const seat of seatsOut(context)) {
        const id = seatActor(seat.id);
        if (seat.filledBy === 'policy') enqueue.spawnChild('consultPolicy', {id, input: seat.ask});
        else enqueue.spawnChild('question', {id, input: seat.ask});
      }
    }),
    takeAnswer: assign(({context}, heard: ActorHeard) => taken(context, heard)),
    takeMiss: assign(({context: {missed}}, {seat, outage}: Miss) => ({
      missed: {...missed, [seat]: outage},
    })),
    tellMiss: sendParent(({context: {subject}}, {seat, because}: Miss) => ({
      type: 'seat.missed',
      subject,
      seat,
      because,
    })),
    silenceLate: enqueueActions(({context, enqueue}) => {
      for (const {id} of seatsAtWork(context)) {
        const heard = {actorId: seatActor(id), answer: lateAnswer};
        enqueue.stopChild(heard.actorId);
        enqueue.assign(({context: now}) => taken(now, heard));
        enqueue.sendParent(heardBy(context, heard));
      }
    }),
    askAgain: enqueueActions(({context, enqueue, self}) => {
      const missed = Object.entries(context.missed);
      for (const [seat] of missed) {
        enqueue.sendParent({type: 'seat.asked', subject: context.subject, seat});
      }
      for (const [seat, {model = seat}] of missed) {
        if (!isUnseated(self, model)) continue;
        const heard = {actorId: seatActor(seat), answer: unseatedAnswer};
        enqueue.assign(({context: now}) => taken(now, heard));
        enqueue.sendParent(heardBy(context, heard));
      }
      enqueue.assign({missed: {}});
    }),
    dismiss: stopChild((_, {actorId}: {readonly actorId: string}) => actorId),
    tellAnswer: sendParent(({context}, heard: ActorHeard) => heardBy(context, heard)),
  },
  guards: {
    isComplete: ({context}) => seatsOut(context).length === 0,
    isUnserved: ({context}) => seatsAtWork(context).length === 0,
    isMissed: (_, output: SeatOutput) => isMissed(output),
    isMissing: ({context}) => Object.keys(context.missed).length > 0,
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
        {guard: 'isUnserved', target: 'unserved'},
      ],
      on: {
        'xstate.done.actor.*': [
          {
            guard: {type: 'isMissed', params: ({event}) => event.output},
            actions: [
              {type: 'takeMiss', params: ({context, event}) => missFrom(context, event)},
              {type: 'dismiss', params: ({event}) => event},
              {type: 'tellMiss', params: ({context, event}) => missFrom(context, event)},
            ],
          },
          {
            actions: [
              {type: 'takeAnswer', params: ({event}) => answerFrom(event)},
              {type: 'dismiss', params: ({event}) => event},
              {type: 'tellAnswer', params: ({event}) => answerFrom(event)},
            ],
          },
        ],
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeAnswer', params: ({event}) => silenceFrom(event)},
            {type: 'tellAnswer', params: ({event}) => silenceFrom(event)},
          ],
        },
      },
      after: {
        deadline: [
          {guard: 'isMissing', target: 'unserved', actions: 'silenceLate'},
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
  },
  output: ({context}) => allAnswers(context),
});

export const pollMachine = asChart<PollContext, PollEvent, PollInput, PollOutput>(machine);

interface ActorHeard {
  readonly actorId: string;
  readonly answer: SeatAnswer;
}

interface Miss {
  readonly seat: string;
  readonly outage: Outage;
  readonly because: string;
}

const lateAnswer = unanswered('deadline passed');
const unseatedAnswer = unanswered('no longer on the panel');

/** Those without an answer. */
function seatsOut({seats, answers}: PollContext): readonly PollSeat[] {
  return seats.filter(({id}) => !Object.hasOwn(answers, id));
}

/** Those without an answer that may still give one. */
function seatsAtWork(context: PollContext): readonly PollSeat[] {
  return seatsOut(context).filter(({id}) => !Object.hasOwn(context.missed, id));
}

/** Of the first that was missed. */
function lackOf({missed}: PollContext): Outage {
  const [outage] = Object.values(missed);
  return lackIn(outage ? {outage} : {});
}

function seatActor(seat: string): SeatId {
  return `seat:${encodeURIComponent(seat)}`;
}

function seatOf(actorId: string): string {
  return decodeURIComponent(actorId.slice('seat:'.length));
}

function taken({answers}: PollContext, {actorId, answer}: ActorHeard): Partial<PollContext> {
  return {answers: {...answers, [seatOf(actorId)]: answer}};
}

function heardBy({subject}: PollContext, {actorId, answer}: ActorHeard): SeatHeard {
  return {type: 'seat.heard', subject, seat: seatOf(actorId), answer};
}

function isMissed(output: SeatOutput): output is QuestionOutput {
  return 'kind' in output && isUnserved(output);
}

function missFrom(
  {seats}: PollContext,
  {actorId, output}: DoneActorEvent<SeatOutput, SeatId>,
): Miss {
  const seat = seatOf(actorId);
  const asked = seats.find(({id}) => id === seat);
  const model = asked?.filledBy === 'model' ? asked.ask.model : seat;
  const failure = isMissed(output) ? whyUnanswered(output) : toFailure('it could not be asked');
  return {seat, outage: {model, ...failure}, because: `${failure.code}: ${failure.message}`};
}

function answerFrom({actorId, output}: DoneActorEvent<SeatOutput, SeatId>): ActorHeard {
  return {actorId, answer: answerOf(output)};
}

function answerOf(output: SeatOutput): SeatAnswer {
  const {at, ms} = output;
  if ('ballot' in output)
    return {kind: 'answered', question: 'cast_ballot', value: output.ballot, at, ms};
  if (output.kind === 'unanswered') return {kind: 'unanswered', because: output.because, at, ms};
  const {asked: _, transcript: __, ...answer} = output;
  return answer;
}

/** A seat whose actor crashed, which is a bug, says nothing. */
function silenceFrom({actorId, error}: ErrorActorEvent<unknown, SeatId>): ActorHeard {
  return {actorId, answer: unanswered(toFailure(error).message)};
}

function unanswered(because: string): SeatAnswer {
  return {kind: 'unanswered', because, at: 0};
}

function allAnswers({seats, answers, missed}: PollContext): PollOutput {
  return Object.fromEntries(
    seats.map(({id}) => [id, answers[id] ?? unanswered(missed[id]?.message ?? 'deadline passed')]),
  );
}
