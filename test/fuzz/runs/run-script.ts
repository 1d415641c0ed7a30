/** One run of the adversary, from its script to its findings. */

import {type Finding, findingsIn} from './oracle.ts';
import {perform} from './perform.ts';
import type {Script} from './script.ts';
import {copyWorld, removeWorld} from './world.ts';

export interface Ran {
  readonly status: string;
  /** Calls that were allowed and ran. */
  readonly performed: number;
  readonly findings: readonly Finding[];
}

let count = 0;

/** Never rejects: a crash is a finding. */
export async function runScript(script: Script, template: string): Promise<Ran> {
  count += 1;
  const world = copyWorld(template, `run-${process.pid}-${count}`);
  try {
    const run = await perform(script, world);
    try {
      const {status, calls} = run;
      const findings = await findingsIn(world, run, template);
      const crashed = status === 'error' ? [crash('the run ended as error')] : [];
      return {status, performed: calls.length - 1, findings: [...findings, ...crashed]};
    } finally {
      await run.close();
    }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {status: 'crashed', performed: 0, findings: [crash(what)]};
  } finally {
    removeWorld(world);
  }
}

function crash(what: string): Finding {
  return {harm: 'crash', what, kind: 'crash', isLeftToModels: false, doubts: []};
}

/** The script with the fewest steps that still has a finding of the same kind and harm. */
export async function shrink(
  script: Script,
  {harm, kind}: Pick<Finding, 'harm' | 'kind'>,
  template: string,
): Promise<Script> {
  let smallest = script;
  for (let at = script.steps.length - 1; at >= 0; at -= 1) {
    const steps = smallest.steps.filter((_, index) => index !== at);
    const smaller = {...script, steps};
    const {findings} = steps.length === 0 ? {findings: []} : await runScript(smaller, template);
    const isSame = findings.some(
      (one) => one.harm === harm && one.kind === kind && !one.isLeftToModels,
    );
    if (isSame) smallest = smaller;
  }
  return smallest;
}
