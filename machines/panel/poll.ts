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
import {asChart} from '../machine-type.ts';
import {modelCallMachine} from '../model-call.ts';
import {awaitResume} from '../ports.ts';
import {questionMachine} from '../questions/question.ts';
import {isUnseated} from '../tree/mode.ts';
import {
  type ActorAnswer,
  allAnswers,
  answerFrom,
  hasEnough,
  seatAnswered,
  isMissed,
  lackOf,
  lateAnswer,
  type Miss,
  missFrom,
  type PollInput,
  type PollOutput,
  type PollState,
  seatActor,
  type SeatId,
  type SeatOutput,
  seatsAtWork,
  seatsOut,
  silenceFrom,
  taken,
  unseatedAnswer,
} from './polled.ts';

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

export const pollMachine = asChart<PollState, PollEvent, PollInput, PollOutput>(machine);
