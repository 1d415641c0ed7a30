/** `git commit --amend`: another commit in place of the last one. */

import type {Shell} from '../walk/shell.ts';
import type {Worker} from './place-acts.ts';

/** History is changed for others only once they have it. */
export async function amend(shell: Shell, {folder, by, name}: Worker): Promise<void> {
  const isPublished = folder === undefined ? undefined : await shell.places.isPublished(folder);
  if (isPublished === undefined) {
    const why = 'whether a remote repository has the commit that it changes is not known';
    return shell.ledger.miss({word: `${name} commit --amend`, why});
  }
  shell.ledger.add({
    kind: isPublished ? 'discards' : 'records',
    target: isPublished ? 'history' : 'the last commit',
    by,
  });
}
