/**
 * Bare XState: the actors and the steps of a turn of ours, with nothing done in them. No journal, no checks, no record of what
 * was said: what is left is the price of the charts.
 */

import {createRequire} from 'node:module';

const {assign, createActor, sendTo, setup, stopChild} = createRequire(
  import.meta.resolve('quorate'),
)('xstate');

/** An effect that is settled at once. */
const port = {
  getInitialSnapshot: (_, input) => ({
    status: 'active',
    output: undefined,
    error: undefined,
    input,
  }),
  start: (_, {self}) => queueMicrotask(() => self.send({type: 'effect.settled'})),
  transition: (snapshot, {type}) =>
    type === 'effect.settled'
      ? {status: 'done', output: {kind: 'ok'}, error: undefined, input: undefined}
      : snapshot,
  getPersistedSnapshot: (snapshot) => snapshot,
};

const outcome = ({event}) => event.output;

const toolCall = setup({
  actors: {port},
  actions: {takeOutcome: assign((_, result) => ({result}))},
  guards: {isUnoffered: () => false, isSuccess: (_, {kind}) => kind === 'ok'},
}).createMachine({
  id: 'tool-call',
  context: ({input}) => input,
  initial: 'validating',
  states: {
    validating: {always: [{guard: 'isUnoffered', target: 'ended'}, {target: 'running'}]},
    running: {
      invoke: {
        src: 'port',
        id: 'run',
        input: ({context}) => context,
        onDone: {
          guard: {type: 'isSuccess', params: outcome},
          target: 'ended',
          actions: {type: 'takeOutcome', params: outcome},
        },
      },
    },
    ended: {type: 'final'},
  },
  output: ({context}) => context.result,
});

const turnLoop = setup({
  actors: {port, toolCall},
  actions: {
    openTurn: assign(({context, spawn}) => {
      spawn('toolCall', {id: `call:${context.turn}`, input: {turn: context.turn}});
      return {turn: context.turn + 1};
    }),
    recordSteps: sendTo(({system}) => system.get('tree'), {type: 'steps.taken'}),
    dismissCall: stopChild((_, actorId) => actorId),
  },
  guards: {isToolTurn: ({context}) => context.turn < context.turns},
}).createMachine({
  id: 'turn-loop',
  context: ({input}) => ({...input, turn: 0}),
  initial: 'thinking',
  states: {
    thinking: {
      invoke: {
        src: 'port',
        id: 'model',
        input: ({context}) => context,
        onDone: [
          {guard: 'isToolTurn', target: 'acting', actions: 'openTurn'},
          {target: 'answered'},
        ],
      },
    },
    acting: {
      on: {
        'xstate.done.actor.*': {
          target: 'thinking',
          actions: ['recordSteps', {type: 'dismissCall', params: ({event}) => event.actorId}],
        },
      },
    },
    answered: {type: 'final'},
  },
});

const tree = setup({
  actors: {turnLoop},
  actions: {record: assign(({context}) => ({steps: context.steps + 1}))},
}).createMachine({
  id: 'tree',
  context: ({input}) => ({...input, steps: 0}),
  on: {'steps.taken': {actions: 'record'}},
  initial: 'running',
  states: {
    running: {
      invoke: {
        src: 'turnLoop',
        id: 'form',
        input: ({context: {turns}}) => ({turns}),
        onDone: 'ended',
      },
    },
    ended: {type: 'final'},
  },
  output: ({context}) => context.steps,
});

export function createWorld({turns}) {
  return {
    run: async () => {
      const actor = createActor(tree, {input: {turns}, systemId: 'tree'});
      const ended = Promise.withResolvers();
      actor.subscribe({complete: () => ended.resolve(), error: ended.reject});
      actor.start();
      await ended.promise;
      const {output} = actor.getSnapshot();
      if (output !== turns) throw new Error(`${output} of ${turns} turns were recorded`);
    },
  };
}
