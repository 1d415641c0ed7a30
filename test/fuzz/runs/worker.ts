/** A process that runs scripts one after the other: commands have its environment, and its home folder is that of the run. */

import {type Finding, findingsIn} from './oracle.ts';
import {perform} from './perform.ts';
import {modeName, type Script, stepText} from './script.ts';
import {copyWorld, removeWorld} from './world.ts';

/** A message from the parent process. */
export interface Order {
  readonly script: Script;
  readonly template: string;
  /** The number of findings of one kind in one mode whose scripts are shortened. */
  readonly shrunk: number;
}

/** The report on one run. */
export interface RunReport {
  /** Calls that were allowed, and ran. */
  readonly performed: number;
  readonly findings: readonly (Finding & {readonly script: readonly string[]})[];
}

const seen = new Map<string, number>();

async function obey({script, template, shrunk}: Order): Promise<RunReport> {
  const {performed, findings} = await runScript(script, template);
  const reported: RunReport['findings'][number][] = [];
  for (const finding of distinct(findings)) {
    const {kind, harm, isLeftToModels} = finding;
    const key = `${kind} ${harm} ${modeName(script.mode)}`;
    const count = (seen.get(key) ?? 0) + 1;
    if (!isLeftToModels) seen.set(key, count);
    const isSmall = count <= shrunk && !isLeftToModels;
    const small = isSmall ? await shrink(script, finding, template) : script;
    reported.push({...finding, script: small.steps.map(stepText)});
  }
  return {performed, findings: reported};
}

/** One of each kind of harm, with how many more there are. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(
    findings,
    ({kind, harm, isLeftToModels}) => `${kind} ${harm} ${isLeftToModels}`,
  );
  return [...groups.values()].flatMap(([first, ...more]) =>
    first
      ? [more.length > 0 ? {...first, what: `${first.what} and ${more.length} more`} : first]
      : [],
  );
}

interface Ran {
  readonly status: string;
  /** Calls that were allowed and ran. */
  readonly performed: number;
  readonly findings: readonly Finding[];
}

let count = 0;

/** Never rejects: a crash is a finding. */
async function runScript(script: Script, template: string): Promise<Ran> {
  count += 1;
  const world = copyWorld(template, `run-${process.pid}-${count}`);
  try {
    const run = await perform(script, world);
    try {
      const {status, calls} = run;
      const findings = await findingsIn(world, run, {template, script});
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
async function shrink(
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

process.on('message', (order: Order) => {
  void obey(order).then((report) => process.send?.(report));
});
