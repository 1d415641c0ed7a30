/** Changes of a chart of the registry, as `npm run mutants` tries them. */

import {describe, expect, test} from 'vitest';

import {humanGateMachine, modelCallMachine} from '../../machines/index.ts';
import {gates} from '../machines/events/lawful.ts';
import {modelCalls} from '../machines/events/model-call.ts';
import {exploreAll} from './baseline.ts';
import {mutantsOf} from './generator/mutants.ts';
import {swapIn} from './swap.ts';
import {planTrial, triedOn} from './trial.ts';

describe.each([
  {machine: modelCallMachine, scenarios: modelCalls},
  {machine: humanGateMachine, scenarios: gates},
])('of the chart $machine.id', ({machine, scenarios}) => {
  const baselines = exploreAll(scenarios);
  const {mutants} = mutantsOf(machine);

  test('some change is noticed, and afterwards the chart is as before', () => {
    const {config, root, states} = machine;
    const noticed = mutants.filter(
      (mutant) => triedOn(machine, mutant, planTrial(machine, mutant, baselines)).noticedBy,
    );
    expect(noticed).not.toEqual([]);
    expect(machine.config).toBe(config);
    expect(machine.root).toBe(root);
    expect(machine.states).toBe(states);
    expect(exploreAll(scenarios)).toEqual(baselines);
  });

  test('a change is in effect until it is taken out', () => {
    const [mutant] = mutants;
    if (!mutant) throw new Error('no mutant');
    const before = machine.config;
    const swapOut = swapIn(machine, mutant);
    expect(machine.config).not.toBe(before);
    expect(machine.root.config).toBe(machine.config);
    swapOut();
    expect(machine.config).toBe(before);
  });
});
