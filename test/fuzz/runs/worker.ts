/** A process that runs scripts one after the other: commands have its environment, and its home folder is that of the run. */

import type {Finding} from './oracle.ts';
import {runScript, shrink} from './run-script.ts';
import {modeName, type Script, stepText} from './script.ts';

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

process.on('message', (order: Order) => {
  void obey(order).then((report) => process.send?.(report));
});
