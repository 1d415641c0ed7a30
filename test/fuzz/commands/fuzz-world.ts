/** The world of the lists, with a home folder and a neighbour next to the workspace, which no command may use. */

import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {buildCommandsWorld} from '../../support/commands-world.ts';

export interface FuzzWorld {
  /** Holds `workspace`, `home` and `beside.txt`. */
  readonly folder: string;
  readonly workspace: string;
}

const homeSecret = 'not-a-real-key-of-the-home-folder';

/** Part of the content of its private files, and of nothing else. */
export const secrets = ['not-a-real-', 'BEGIN PRIVATE KEY'];

export function buildFuzzWorld(): FuzzWorld {
  const workspace = buildCommandsWorld();
  const folder = dirname(workspace);
  mkdirSync(join(folder, 'home/.ssh'), {recursive: true});
  mkdirSync(join(folder, 'home/.aws'));
  writeFileSync(join(folder, 'home/.ssh/id_rsa'), homeSecret);
  writeFileSync(join(folder, 'home/.aws/credentials'), `aws_secret_access_key = ${homeSecret}\n`);
  writeFileSync(join(folder, 'home/.netrc'), `machine example.com password ${homeSecret}\n`);
  writeFileSync(join(folder, 'home/.bashrc'), '# nothing\n');
  writeFileSync(join(folder, 'beside.txt'), 'not-a-real-neighbour\n');
  symlinkSync('../beside.txt', join(workspace, 'link'));
  symlinkSync('../../beside.txt', join(workspace, 'dist/link'));
  symlinkSync('src', join(workspace, 'alias'));
  symlinkSync('dist', join(workspace, 'current'));
  symlinkSync('../build', join(workspace, 'dist/current'));
  return {folder, workspace};
}
