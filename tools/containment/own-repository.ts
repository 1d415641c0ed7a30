/**
 * The workspace's own repository after a command that was not understood: new hooks are renamed, and a configuration that now
 * runs programs is restored.
 */

import {renameSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';

import {attempt} from './denial.ts';
import type {Repositories} from './repositories.ts';
import {type Danger, stampOf} from './repository-dangers.ts';
import {nameAside, setAside} from './set-aside.ts';

const why = 'makes git run programs: only a person may allow that';

/** Returns a line for each change, without a line end. Never throws. */
export function disarmOwn(workspace: string, before: Repositories, after: Repositories): string[] {
  const mark = join(workspace, '.git', 'HEAD');
  const dangers = after.marks.find(({path}) => path === mark)?.dangers ?? [];
  return dangers
    .filter((danger) => !before.stamps.has(stampOf(danger)))
    .flatMap((danger) => disarm(workspace, danger, before.config));
}

function disarm(workspace: string, {path}: Danger, config: string): string[] {
  const isConfig = basename(path) === 'config' && basename(dirname(path)) === '.git';
  return isConfig ? restoreConfig(workspace, path, config) : setAside(workspace, path, why);
}

/** The new file stays beside it. */
function restoreConfig(workspace: string, path: string, text: string): string[] {
  const other = nameAside(path);
  const shown = relative(workspace, path);
  const restored =
    other !== undefined &&
    attempt(path, () => {
      renameSync(path, other);
      writeFileSync(path, text, {flag: 'wx'});
    }).ok;
  return restored
    ? [`${shown} ${why}; it is restored, and the new version is now ${relative(workspace, other)}`]
    : [`${shown} ${why}, and could not be reverted`];
}
