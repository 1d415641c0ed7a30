/**
 * Loaded before each suite that is tried on a mutant, and before the imports of the suite: puts the mutant into its machine.
 * Without a mutant it notes the machines that the suite starts.
 */

import {afterAll, inject} from 'vitest';
import {type AnyStateMachine, StateMachine} from 'xstate';

import {machines} from '../../machines/index.ts';
import {mutantsOf, swapIn} from './mutants.ts';
import type {MutantName} from './trial.ts';

declare global {
  var machinesStarted: Set<string> | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly mutant: MutantName | undefined;
  }
  interface TaskMeta {
    /** Ids of the machines that the suite starts. */
    machines?: readonly string[];
  }
}

/** Suites share their process, and this module is loaded for each of them; the mutant is swapped in once. */
globalThis.machinesStarted ??= prepare(inject('mutant'));
const started = globalThis.machinesStarted;
started.clear();
// oxlint-disable-next-line no-empty-pattern -- Vitest accepts only a pattern, which names the fixtures that it passes
afterAll(({}, suite) => {
  suite.meta.machines = [...started];
});

function prepare(wanted: MutantName | undefined): Set<string> {
  const noted = new Set<string>();
  if (!wanted) noteStarts(noted);
  else {
    const machine = machines.find(({id}) => id === wanted.machine);
    const mutant = machine && mutantsOf(machine).find(({name}) => name === wanted.mutant);
    if (!machine || !mutant) throw new Error(`there is no mutant "${wanted.mutant}"`);
    swapIn(machine, mutant);
  }
  return noted;
}

/**
 * A machine binds its methods when it is made. So they are replaced in each machine of the registry, and in the prototype for
 * the copies that `provide` makes later.
 */
function noteStarts(noted: Set<string>): void {
  for (const each of [StateMachine.prototype, ...machines]) {
    const original: AnyStateMachine['getInitialSnapshot'] = Reflect.get(each, 'getInitialSnapshot');
    each.getInitialSnapshot = function noteStart(this: AnyStateMachine, ...args) {
      noted.add(this.id);
      return Reflect.apply(original, this, args);
    };
  }
}
