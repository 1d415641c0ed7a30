/** The end of a tool call as a whole, of which an effect may be only a part. */

import {expect, test} from 'vitest';
import {type AnyActorRef, createActor, setup} from 'xstate';

import {signalOfCall} from '../../../actors/performers/whole-call.ts';
import {performFor, runTool} from '../../../machines/ports.ts';

const request = {tool: 'x', args: {}, workspace: '/w', repeatability: 'once'} as const;

/** Starts a call, and returns the signal of its first effect. */
function start() {
  const call = setup({actors: {runTool}}).createMachine({
    initial: 'running',
    states: {
      running: {
        invoke: {src: 'runTool', id: 'run', input: request},
        on: {ask: 'asking', end: 'over'},
      },
      asking: {on: {end: 'over'}},
      over: {type: 'final'},
    },
  });
  const root = createActor(
    setup({actors: {call}}).createMachine({
      initial: 'working',
      states: {working: {invoke: {src: 'call', id: 'call'}, on: {leave: 'left'}}, left: {}},
    }),
  );
  const effects: AnyActorRef[] = [];
  performFor(root.system, {request: (_, actor) => void effects.push(actor)});
  root.start();
  const [actor] = effects;
  if (!actor) throw new Error('nothing was requested');
  const child: AnyActorRef | undefined = root.getSnapshot().children['call'];
  return {root, child, signal: signalOfCall({port: 'runTool', actor})};
}

test('it is not over when its first part is', () => {
  const {child, signal} = start();
  child?.send({type: 'ask'});
  expect(signal?.aborted).toBe(false);
  child?.send({type: 'end'});
  expect(signal?.aborted).toBe(true);
});

test('it is over when its actor is stopped between two parts', () => {
  const {root, child, signal} = start();
  child?.send({type: 'ask'});
  root.send({type: 'leave'});
  expect(signal?.aborted).toBe(true);
});
