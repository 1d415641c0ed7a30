/** Ours: how long after the start of the process the first model is called. */

import {createFunctionModel, createRuntime} from 'quorate';

import {tell} from './measure.mjs';

const model = createFunctionModel('bench/worker', () => {
  const {user, system} = process.cpuUsage();
  tell({ms: performance.now(), cpuMs: (user + system) / 1_000});
  return {kind: 'refused', message: 'the figure is taken'};
});
const runtime = createRuntime({config: {ask: {model: 'bench/worker'}}, models: [model], env: {}});
await runtime.ask('What is measured here?').result;
