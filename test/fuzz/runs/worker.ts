/** A process that runs scripts one after the other: commands have its environment, and its home folder is that of the run. */

import {type Finding, findingsIn} from './oracle.ts';
import {perform} from './perform.ts';
import {modeName, type Script, stepText} from './script.ts';
import {copyWorld, isAsBuilt, removeWorld, type World} from './world.ts';

/** A message from the parent process. */
export interface Order {
  readonly script: Script;
  readonly template: string;
  /** The number of findings of one kind in one mode whose scripts are shortened. */
  readonly shrunk: number;
  /**
   * A run ends with the first call that changes anything, and is undone; the steps that are left follow in a run of their own, in the
   * same world if it is as new.
   */
  readonly separates: boolean;
}

/** The report on one run. */
export interface RunReport {
  /** Calls that were allowed, and ran. */
  readonly performed: number;
  readonly findings: readonly (Finding & {readonly script: readonly string[]})[];
}

const seen = new Map<string, number>();

async function obey({script, template, shrunk, separates}: Order): Promise<RunReport> {
  const reported: RunReport['findings'][number][] = [];
  let performed = 0;
  for (let steps = script.steps; steps.length > 0;) {
    const part = {...script, steps};
    const ran = await runScript(part, template, separates);
    const tried = separates ? Math.max(1, ran.tried) : steps.length;
    const own = {...part, steps: steps.slice(0, tried)};
    reported.push(...(await reportedOf(ran, own, {template, shrunk})));
    performed += ran.performed;
    steps = steps.slice(tried);
  }
  if (spare) removeWorld(spare);
  spare = undefined;
  return {performed, findings: reported};
}

async function reportedOf(
  {findings}: Ran,
  script: Script,
  {template, shrunk}: Pick<Order, 'template' | 'shrunk'>,
): Promise<RunReport['findings']> {
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
  return reported;
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
  /** Steps that were called. */
  readonly tried: number;
  /** Calls that were allowed and ran. */
  readonly performed: number;
  readonly findings: readonly Finding[];
}

let count = 0;

/** As new. */
let spare: World | undefined;

function openWorld(template: string): World {
  const world = spare;
  spare = undefined;
  if (world) return world;
  count += 1;
  return copyWorld(template, `run-${process.pid}-${count}`);
}

/** Never rejects: a crash is a finding. */
async function runScript(script: Script, template: string, separates = false): Promise<Ran> {
  const world = openWorld(template);
  let isUndone = false;
  try {
    const run = await perform(script, world, separates);
    try {
      const {status, tried, calls} = run;
      const findings = await findingsIn(world, run, {template, script});
      if (separates && findings.length === 0) {
        const undone = run.runtime.undo(run.id);
        isUndone = await undone.then(
          () => true,
          () => false,
        );
      }
      const crashed = status === 'error' ? [crash('the run ended as error')] : [];
      return {status, tried, performed: calls.length - 1, findings: [...findings, ...crashed]};
    } finally {
      await run.close();
    }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {status: 'crashed', tried: 0, performed: 0, findings: [crash(what)]};
  } finally {
    if (isUndone && isAsBuilt(world, template)) spare = world;
    else removeWorld(world);
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
