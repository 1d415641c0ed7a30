/** What developers and their agents use: version control, packages, languages, tests, builds, services. By file. */

import type {Program} from '../program.ts';
import {git} from './git.ts';
import {npm} from './npm.ts';
import {packageManagers} from './package-managers.ts';

export const development: Readonly<Record<string, readonly Program[]>> = {
  git,
  npm,
  packageManagers,
};
