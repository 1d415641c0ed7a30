/** Warnings about the place of a run: the workspace is the home folder, or its commands cannot be confined. */

import {isAbsolute, relative, sep} from 'node:path';

import {homeFolder} from '../../tools/home-folder.ts';
import type {Sandbox} from '../../tools/run/sandbox.ts';
import {realPath} from '../run/validation.ts';

/** A warning if the workspace (links resolved) is or contains the home folder. `home`: the value of `HOME`, if it is set. */
export function homeWarnings(workspace: string, home: string | undefined): string[] {
  const below = relative(workspace, realPath(homeFolder(home)));
  if (below.split(sep)[0] === '..' || isAbsolute(below)) return [];
  const what = below === '' ? 'is your home folder' : 'contains your home folder';
  return [
    `the workspace ${workspace} ${what}, with all your files; use --cwd to choose a project folder`,
  ];
}

/** Empty if commands run confined, and if the user turned the sandbox off. */
export async function sandboxWarnings(
  sandbox: Sandbox,
  workspace: string,
): Promise<readonly string[]> {
  if (sandbox.mode === 'off') return [];
  const probed = await sandbox.probe(workspace);
  if (probed.confined) return [];
  return sandbox.mode === 'required'
    ? [`sandbox: required, but ${probed.why}: commands are refused; see quorate doctor`]
    : [`sandbox: ${probed.why}, so approved commands run unconfined; see quorate doctor`];
}
