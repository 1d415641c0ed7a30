/**
 * Seats asked side by side, each its own question or a policy, by a deadline.
 *
 * polling → complete; late, when the deadline passes over seats that are still out. Who asks may end it sooner by
 * stopping it: what is still out is withdrawn.
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
import type {Answer} from '../domain/questions.ts';
import {consultPolicy, type PortRequest, type Settled} from '../ports.ts';
import {type QuestionInput, questionMachine, type QuestionOutput} from '../question.ts';

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

/** What a seat said, or why it said nothing. `at` is epoch ms; 0 when nothing came from outside. */
export type SeatAnswer = {readonly at: number} & (
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

/** By seat; every seat has an answer. */
export type PollOutput = Readonly<Record<string, SeatAnswer>>;

export interface PollContext extends PollInput {
  readonly answers: PollOutput;
}

type SeatId = `seat:${string}`;
type SeatOutput = QuestionOutput | Settled<'consultPolicy'>;

export const pollMachine = setup({
  types: {} as {
    context: PollContext;
    input: PollInput;
    output: PollOutput;
    events: DoneActorEvent<SeatOutput, SeatId> | ErrorActorEvent<unknown, SeatId>;
  },
  actors: {consultPolicy, question: questionMachine},
  actions: {
    askSeats: enqueueActions(({context, enqueue}) => {
      for (const seat of context.seats) {
        const id = seatActor(seat.id);
        if (seat.filledBy === 'policy') enqueue.spawnChild('consultPolicy', {id, input: seat.ask});
        else enqueue.spawnChild('question', {id, input: seat.ask});
      }
    }),
    takeAnswer: assign(({context}, heard: ActorHeard) => taken(context, heard)),
    dismiss: stopChild((_, {actorId}: ActorHeard) => actorId),
    tellAnswer: sendParent(({context}, heard: ActorHeard) => heardBy(context, heard)),
  },
  guards: {isComplete: ({context}) => context.seats.every(({id}) => id in context.answers)},
  delays: {deadline: ({context}) => context.deadlineMs},
}).createMachine({
  id: 'poll',
  context: ({input}) => ({...input, answers: {}}),
  initial: 'polling',
  states: {
    polling: {
      entry: 'askSeats',
      always: {guard: 'isComplete', target: 'complete'},
      on: {
        'xstate.done.actor.*': {
          actions: [
            {type: 'takeAnswer', params: ({event}) => answerFrom(event)},
            {type: 'dismiss', params: ({event}) => answerFrom(event)},
            {type: 'tellAnswer', params: ({event}) => answerFrom(event)},
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeAnswer', params: ({event}) => silenceFrom(event)},
            {type: 'tellAnswer', params: ({event}) => silenceFrom(event)},
          ],
        },
      },
      after: {deadline: 'late'},
    },
    complete: {type: 'final'},
    late: {type: 'final'},
  },
  output: ({context}) => allAnswers(context),
});

export interface ActorHeard {
  readonly actorId: string;
  readonly answer: SeatAnswer;
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

function answerFrom({actorId, output}: DoneActorEvent<SeatOutput, SeatId>): ActorHeard {
  return {actorId, answer: answerOf(output)};
}

function answerOf(output: SeatOutput): SeatAnswer {
  const {at} = output;
  if ('ballot' in output)
    return {kind: 'answered', question: 'cast_ballot', value: output.ballot, at};
  if (output.kind === 'unanswered') return {kind: 'unanswered', because: output.because, at};
  const {asked: _, transcript: __, ms: ___, ...answer} = output;
  return answer;
}

/** A seat whose actor crashed, which is a bug, says nothing. */
function silenceFrom({actorId, error}: ErrorActorEvent<unknown, SeatId>): ActorHeard {
  return {actorId, answer: unanswered(toFailure(error).message)};
}

function unanswered(because: string): SeatAnswer {
  return {kind: 'unanswered', because, at: 0};
}

function allAnswers({seats, answers}: PollContext): PollOutput {
  return Object.fromEntries(
    seats.map(({id}) => [id, answers[id] ?? unanswered('deadline passed')]),
  );
}
