/** Copies the folder of a run as it was after an entry. */

import {constants, lstatSync} from 'node:fs';
import {cp, rm} from 'node:fs/promises';
import {join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {isOwn} from '../../tools/containment/own-state.ts';
import {isGitPlace} from '../../tools/run/snapshot/entry.ts';
import type {Backup} from '../journal/journal.ts';
import {chainsOf, stepsFor, takeAll} from '../undo/undo-steps.ts';

/**
 * `target` must not exist. `later`: backups of the changes since the entry, which are taken back in the copy. Rejects with AppError
 * `io` when the folder can't be copied, `usage` when a change can't be taken back.
 */
export async function copyFolder(
  source: string,
  target: string,
  later: readonly Backup[],
): Promise<void> {
  try {
    await cp(source, target, {
      recursive: true,
      filter: (path) => !isOwn(lstatSync(path, {throwIfNoEntry: false})),
      force: false,
      errorOnExist: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `${source} can't be copied to ${target}: ${why}`, {cause: error});
  }
  // Another repository's data is not a part of the copy.
  const hasGit = lstatSync(join(target, '.git'), {throwIfNoEntry: false})?.isDirectory() === true;
  const chains = chainsOf(later.filter(({path}) => hasGit || !isGitPlace(path)));
  const steps = await stepsFor({workspace: target, foldersSince: 0}, chains);
  const first = (await takeAll(steps)).find(({outcome}) => outcome === 'left');
  if (!first) return;
  await rm(target, {recursive: true});
  throw new AppError(
    'usage',
    `the folder can't be copied as it was: ${first.path}: ${first.why ?? 'it was changed since'}`,
  );
}
