/** Reads a call of git: what it only reads, what it records, discards, fetches or publishes. */

import {posix} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {gitEffect, gitPlain, gitReaders} from './known.ts';
import {addEffect, byOf, type Call, notePlace, type Notes, type Shell} from './notes.ts';
import {wordOf} from './word.ts';
import {noteWords} from './words.ts';

/** Reads a call of git. */
export async function readGit(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const texts = call.args.map(({text}) => text);
  let at = 0;
  while (gitPlain.test(texts[at] ?? '')) at += 1;
  let folders = shell.folders;
  const to = call.args[at + 1];
  if (texts[at] === '-C' && to) {
    await notePlace(notes, 'lists', to, {shell, call});
    folders = folders.map((folder) => posix.resolve(folder, to.text));
    at += 2;
  }
  for (const folder of folders) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other
    if (await isOwnRepository(notes, folder)) continue;
    return notes.miss({
      word: byOf(call),
      why: 'its folder has a repository of its own',
      isCode: true,
    });
  }
  const [verb = '', ...rest] = texts.slice(at);
  if (verb === '--version' || verb === '--help') return;
  const barred = gitReaders.get(verb);
  if (barred && !rest.some((word) => barred.test(word)) && isListing(verb, rest)) {
    if (call.args.some(({known, quoted}) => !known && !quoted))
      notes.miss({word: byOf(call), why: 'it has computed words'});
    await noteWords(notes, call, shell);
    return await noteTrackedCredentials(notes, verb, rest, call);
  }
  const effect = verb.startsWith('-') ? undefined : gitEffect([verb, ...rest].join(' '));
  const runsCode =
    rest.some((word) => /^(?:--exec|-x|--upload-pack|--receive-pack|-c$|--template)/.test(word)) ||
    /^bisect run/.test([verb, ...rest].join(' '));
  if (!effect || runsCode)
    return notes.miss({word: byOf(call), why: 'is not a known command of git', isCode: true});
  addEffect(
    notes,
    effect,
    effect === 'fetches' || effect === 'publishes' ? `git ${verb}` : 'the repository',
    call,
  );
  await noteWords(notes, call, shell);
  if (verb === 'mv' || verb === 'rm') {
    const operands = call.args.slice(at + 1).filter(({text}) => !text.startsWith('-'));
    const isKept = rest.includes('--cached');
    for (const [index, word] of (isKept ? [] : operands).entries()) {
      const isTarget = verb === 'mv' && index === operands.length - 1;
      const kind = verb === 'rm' ? 'deletes' : 'moves';
      // oxlint-disable-next-line no-await-in-loop -- one word after the other
      await notePlace(notes, isTarget ? 'writes' : kind, word, {shell, call, isTree: true});
    }
  }
}

/** False: the folder, or one above it in the workspace, is another repository, whose configuration git would obey. */
async function isOwnRepository(notes: Notes, folder: string): Promise<boolean> {
  const {workspace, placeOf} = notes.surroundings;
  if (folder === workspace) return true;
  if (!folder.startsWith(`${workspace}/`)) return false;
  for (const name of ['.git', 'HEAD']) {
    // oxlint-disable-next-line no-await-in-loop -- one name after the other
    if ((await placeOf(posix.join(folder, name), {isKept: true})).state !== 'absent') return false;
  }
  return await isOwnRepository(notes, posix.dirname(folder));
}

/** Verbs that write when they have a second operand: `branch NAME`, `config KEY VALUE`. */
function isListing(verb: string, rest: readonly string[]): boolean {
  if (verb === 'config') return rest.filter((word) => !word.startsWith('-')).length <= 1;
  if (verb === 'stash' || verb === 'worktree' || verb === 'submodule') return rest.length > 0;
  if (verb === 'symbolic-ref') return rest.filter((word) => !word.startsWith('-')).length <= 1;
  return (
    verb !== 'remote' || rest.length === 0 || /^(?:-v|--verbose|show|get-url)$/.test(rest[0] ?? '')
  );
}

/** Verbs that show the content of files. */
export const showing =
  /^(?:log|diff|show|grep|blame|cat-file|stash|whatchanged|diff-tree|diff-index|diff-files|range-diff)$/;

async function noteTrackedCredentials(
  {surroundings, miss}: Notes,
  verb: string,
  rest: readonly string[],
  call: Call,
): Promise<void> {
  const isNamesOnly = rest.some((word) =>
    /^--(?:stat|name-only|name-status|oneline|shortstat|summary|numstat)$/.test(word),
  );
  if (
    !showing.test(verb) ||
    (isNamesOnly && !rest.some((word) => /^(?:-p|-u|--patch|-U\d*)$/.test(word)))
  )
    return;
  if (
    verb === 'log' &&
    !rest.some((word) => /^(?:-p|-u|--patch|-U\d*|-c|--cc|-m|-G|-S|-L)/.test(word))
  )
    return;
  const found = await surroundings.files();
  for (const path of (found?.tracked ?? []).filter(isCredentialPlace)) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    if ((await surroundings.placeOf(path)).holdsNoSecret) continue;
    return miss({
      word: byOf(call),
      why: `it may show ${path}, which git tracks`,
      evenConfined: true,
    });
  }
}
