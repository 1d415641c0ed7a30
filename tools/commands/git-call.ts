/** Reads a call of git: what it only reads, records, discards, fetches or publishes. */

import {posix} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {
  addEffect,
  type Call,
  inOrder,
  isCode,
  notePlace,
  type Notes,
  noteWords,
  pathFrom,
  type Shell,
} from './notes.ts';
import {type GivenOptions, type Options, optionTable, readOptions} from './options.ts';
import type {EffectKind, Word} from './understanding.ts';

/** Options before the verb that change nothing. */
const plainOption = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/;

const diffOptions =
  'stat? numstat shortstat summary name-only name-status patch no-patch raw word-diff? word-diff-regex= color-words? color? no-color color-moved? cached staged check compact-summary dirstat? diff-filter= relative? full-index binary unified= find-renames? find-copies? no-renames ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv minimal patience histogram diff-algorithm= merge-base no-prefix src-prefix= dst-prefix= pickaxe-regex pickaxe-all abbrev? text no-relative patch-with-stat ita-invisible-in-index';
const logOptions =
  'oneline graph all decorate? no-decorate pretty? format= abbrev-commit no-abbrev-commit date= since= until= after= before= author= committer= grep= all-match invert-grep regexp-ignore-case max-count= skip= no-merges merges first-parent reverse follow branches? tags? remotes? topo-order date-order author-date-order left-right left-only right-only cherry-pick cherry-mark ancestry-path simplify-by-decoration full-history no-walk? parents children boundary count walk-reflogs relative-date no-notes cc no-mailmap source min-parents= max-parents=';

/** Verbs that only read, with the options that keep it so. */
const verbs: ReadonlyMap<string, Options> =
  optionTable(`status: sbuzvnoalrm - short branch porcelain? long ignored? untracked-files? show-stash ahead-behind no-ahead-behind renames no-renames column? no-column
log show whatchanged diff diff-tree diff-index diff-files range-diff rev-list reflog: puswzbMCRaciEFPmrtqgWe#% nUSGLl ${diffOptions} ${logOptions} no-commit-id root objects not
shortlog: sneci - summary numbered email all no-merges since= until= author= group=
rev-parse: q - show-toplevel abbrev-ref? short? verify is-inside-work-tree is-inside-git-dir is-bare-repository git-dir git-common-dir absolute-git-dir show-prefix show-cdup symbolic-full-name symbolic quiet all branches? tags? remotes? show-superproject-working-tree show-object-format
ls-files: cdmoskutvz x others exclude-standard cached deleted modified stage unmerged killed directory no-empty-directory error-unmatch full-name deduplicate exclude= eol abbrev?
ls-tree: rtdlz - name-only name-status full-tree full-name long abbrev? object-only
blame: wMCeslntpfb# L porcelain line-porcelain date= since= show-email show-number show-name show-stats abbrev= root first-parent ignore-rev=
describe: - - tags always dirty? abbrev= long all match= exclude= exact-match first-parent contains candidates=
merge-base: a - all is-ancestor octopus independent fork-point
cat-file: pste - -
name-rev: - - name-only tags refs= all always no-undefined
grep: niwvlLcHhEFGPaIopqW# eABCm count heading break cached all-match and or not color? name-only files-with-matches files-without-match max-depth= line-number ignore-case word-regexp invert-match extended-regexp fixed-strings perl-regexp basic-regexp only-matching show-function function-context after-context= before-context= context= column quiet full-name no-color
check-ignore: vqn - verbose quiet non-matching no-index
check-attr: az - all
for-each-ref: - - sort= format= count= merged? no-merged? contains? no-contains? points-at= omit-empty
show-ref: dsq - head heads tags branches dereference hash? verify quiet abbrev?
count-objects: vH - verbose human-readable
cherry: v - verbose abbrev?
show-branch: ar - all remotes list sha1-name topo-order current no-color color?
version: - - build-options
branch: avrlq - list all remotes show-current verbose merged? no-merged? contains= no-contains= points-at= sort= format= column? no-column color? no-color ignore-case abbrev= no-abbrev
tag: lni# - list sort= contains= no-contains= points-at= merged? no-merged? format= column? ignore-case
remote: vn - verbose
stash: pu#w - ${diffOptions} oneline format= only-untracked include-untracked
worktree: vz - porcelain verbose
config: l - get list local get-all get-regexp show-origin show-scope name-only null
symbolic-ref: q - short quiet
bisect: - - -`);

/** Operands with which a verb only reads; others name a place that it writes, or a computer. */
const operandForms: Readonly<Record<string, RegExp>> = {
  branch: /^$/,
  tag: /^$/,
  remote: /^(?:$|get-url \S+$)/,
  stash: /^(?:list|show)(?: |$)/,
  worktree: /^list$/,
  config:
    /^(?:$|(?:user|core|init|pull|push|branch|merge|rebase|color|diff|log|status|fetch|tag|commit|remote)\.[\w./-]+$)/i,
  'symbolic-ref': /^\S+$/,
  bisect: /^log$/,
  reflog: /^(?!(?:expire|delete|drop|write)\b)/,
};

/** Verbs that write to git's data or to the work tree; the words after them decide no more than this. */
const writers: readonly (readonly [RegExp, EffectKind])[] = [
  [
    /^(?:fetch|pull|clone|ls-remote|remote (?:update|show)|submodule (?:update|add)|archive --remote)\b/,
    'fetches',
  ],
  [/^push\b/, 'publishes'],
  [
    /^(?:reset(?=.* --(?:hard|merge|keep))|clean\b|restore(?!.*--staged)|stash (?:drop|clear)|branch .*(?:-D|-d|--delete)|tag .*(?:-d|--delete)|checkout(?=.* (?:--|\.|-f|--force|HEAD\b.* ))|switch(?=.* (?:-f|--force|--discard-changes))|reflog (?:expire|delete)|rebase|commit(?=.* --am)|filter-branch|update-ref|worktree remove|gc|prune|read-tree|checkout-index|rm\b(?!.*--cached))/,
    'discards',
  ],
  [
    /^(?:add|commit|switch|checkout|branch|tag|stash|merge|cherry-pick|revert|reset|restore|mv|rm|init|apply|am|notes|bisect|update-index|rerere|sparse-checkout|maintenance|format-patch|bundle|worktree add|repack|pack-refs|write-tree|commit-tree|mktree|hash-object|symbolic-ref|merge-file|fast-export|subtree|remote|submodule|config)\b/,
    'records',
  ],
];

export async function readGit(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {folders, words} = await startOf(notes, call, shell);
  const [head, ...rest] = words;
  const verb = head?.text ?? '';
  if (/^--(?:version|help)$/.test(verb) && rest.length === 0) return;
  const problem = await problemOf(notes, folders);
  if (problem !== undefined) notes.miss(call, problem, isCode);
  const reader = verbs.get(verb);
  const found = reader && readOptions(rest, reader);
  if (!found || !isReading(verb, found)) return await readWriting(notes, [verb, rest], call, shell);
  await noteReading(notes, [verb, found], call, shell);
}

async function noteReading(
  notes: Notes,
  [verb, found]: readonly [string, GivenOptions],
  call: Call,
  shell: Shell,
): Promise<void> {
  if (call.args.some(({known}) => !known)) notes.miss(call, 'it has computed words');
  await noteWords(notes, call, shell);
  // Without a repository, it compares any two files.
  await inOrder(verb === 'diff' ? found.operands : [], async (word) =>
    notePlace(notes, 'reads', word, {shell, call, isLoose: true}),
  );
  await noteSubmodules(notes, verb, call);
  await noteTrackedCredentials(notes, [verb, found], call);
}

interface Start {
  readonly folders: readonly string[];
  /** From the verb on. */
  readonly words: readonly Word[];
}

/** After options before the verb, and `-C FOLDER`. */
async function startOf(notes: Notes, call: Call, shell: Shell): Promise<Start> {
  let at = 0;
  for (let step = plainWords(call.args, 0); step > 0; step = plainWords(call.args, at)) at += step;
  const words = call.args.slice(at);
  const [option, to, ...rest] = words;
  if (option?.text !== '-C' || !to) return {folders: shell.folders, words};
  await notePlace(notes, 'lists', to, {shell, call});
  return {folders: shell.folders.map((folder) => pathFrom(folder, to.text)), words: rest};
}

/** The number of words of an option before the verb that changes nothing. */
function plainWords(args: readonly Word[], at: number): number {
  const [option, value] = args.slice(at);
  if (option && plainOption.test(option.text)) return 1;
  return option?.text === '-c' && value?.known && plainSetting.test(value.text) ? 2 : 0;
}

/** Settings that start no program. */
const plainSetting =
  /^(?:user\.(?:name|email)=.*|(?:commit|tag)\.gpgsign=false|core\.pager=(?:cat)?|(?:color|advice)\.\w+=\w+|core\.quotepath=\w+|init\.defaultbranch=[\w/-]+)$/is;

function isReading(verb: string, {barred, operands, given}: GivenOptions): boolean {
  const line = operands.map(({text}) => text).join(' ');
  const form = operandForms[verb];
  const has = (name: RegExp): boolean => given.some((one) => name.test(one.name));
  if (barred || (form && !form.test(line))) return false;
  if (verb === 'config' && has(/^(?:l|list|get-regexp)$/)) return has(/^local$/);
  // They check a signature, by a program.
  return !given.some(
    ({name, value}) => /^(?:format|pretty)$/.test(name) && signed.test(value.text),
  );
}

const signed = /%G|signature/;

/** A verb that writes, or that is not known. */
async function readWriting(
  notes: Notes,
  [verb, rest]: readonly [string, readonly Word[]],
  call: Call,
  shell: Shell,
): Promise<void> {
  const line = [verb, ...rest.map(({text}) => text)].join(' ');
  const effect = writers.find(([form]) => form.test(line))?.[1];
  const runsCode = rest.some(({text}) => runningOption.test(text)) || line.startsWith('bisect run');
  if (!effect || runsCode) return notes.miss(call, 'is not a known command of git', isCode);
  const isFar = effect === 'fetches' || effect === 'publishes';
  addEffect(notes, effect, isFar ? `git ${verb}` : 'the repository', call);
  await noteWords(notes, call, shell);
  if (verb === 'mv' || verb === 'rm') await noteMoved(notes, [verb, rest], call, shell);
}

const runningOption = /^(?:--exec|-x|--upload-pack|--receive-pack|-c$|--template)/;

/** `git mv`, `git rm`. */
async function noteMoved(
  notes: Notes,
  [verb, rest]: readonly [string, readonly Word[]],
  call: Call,
  shell: Shell,
): Promise<void> {
  if (rest.some(({text}) => text === '--cached')) return;
  const operands = rest.filter(({text}) => !text.startsWith('-'));
  await inOrder(operands, async (word, at) => {
    const isTarget = verb === 'mv' && at === operands.length - 1;
    const source = verb === 'rm' ? 'deletes' : 'moves';
    await notePlace(notes, isTarget ? 'writes' : source, word, {shell, call, isTree: true});
  });
}

/** Why git might run more than itself; undefined: nothing is known that it would. */
async function problemOf(notes: Notes, folders: readonly string[]): Promise<string | undefined> {
  const {surroundings} = notes;
  for (const folder of folders) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other
    const {path, inside} = await surroundings.placeOf(folder, {isKept: true});
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!inside || !(await isOwnRepository(notes, path)))
      return 'its folder has a repository of its own';
  }
  const place = await surroundings.placeOf('.git/config');
  if (place.state === 'absent') return undefined;
  const config = await surroundings.readFileText('.git/config');
  if (config === undefined || runningSetting.test(config))
    return 'the configuration of the repository may run a program, or show a password';
  const hooks = /^\s*hookspath\s*=\s*"?([^"\n]*)/im.exec(config)?.[1] ?? '.git/hooks';
  const hook = await surroundings.placeOf(posix.join(hooks.trim(), 'post-index-change'));
  return hook.state === 'absent' ? undefined : 'it runs a hook';
}

/** Settings that reading verbs obey by running a program, and passwords in addresses. */
const runningSetting =
  /(?:^|\])\s*(?:fsmonitor|external|command|textconv|clean|process|program|path|showsignature|worktreeconfig|extraheader)\s*(?:=|$)|https?:\/\/[^/\s]+@/im;

/** False: the folder, or one above it in the workspace, is another repository, whose configuration git would obey. */
async function isOwnRepository(notes: Notes, folder: string): Promise<boolean> {
  const {placeOf} = notes.surroundings;
  const has = async (name: string): Promise<boolean> =>
    (await placeOf(posix.join(folder, name), {isKept: true})).state !== 'absent';
  if (folder === '') return (await has('.git')) || !(await has('HEAD'));
  if ((await has('.git')) || (await has('HEAD'))) return false;
  const parent = posix.dirname(folder);
  return await isOwnRepository(notes, parent === '.' ? '' : parent);
}

/** Git also asks the repositories of submodules, which have configurations of their own. */
async function noteSubmodules(
  {surroundings, miss}: Notes,
  verb: string,
  call: Call,
): Promise<void> {
  if (!/^(?:status|diff|diff-files|diff-index|describe)$/.test(verb)) return;
  const files = await surroundings.files();
  if (files?.tracked.includes('.gitmodules')) miss(call, 'it looks into submodules', isCode);
}

/** Verbs that show the content of files. */
export const showing =
  /^(?:log|diff|show|grep|blame|cat-file|stash|whatchanged|diff-tree|diff-index|diff-files|range-diff|reflog)$/;

async function noteTrackedCredentials(
  {surroundings, miss}: Notes,
  [verb, {given}]: readonly [string, GivenOptions],
  call: Call,
): Promise<void> {
  const has = (form: RegExp): boolean => given.some(({name}) => form.test(name));
  const showsPatch = has(
    /^(?:p|u|U|patch|unified|patch-with-stat|c|cc|m|L|word-diff|color-words)$/,
  );
  const isNamesOnly = has(/^(?:stat|name-only|name-status|oneline|shortstat|summary|numstat)$/);
  const isLog = verb === 'log' || verb === 'reflog';
  if (!showing.test(verb) || (!showsPatch && (isNamesOnly || isLog))) return;
  const found = await surroundings.files();
  const paths = (found?.tracked ?? []).filter(isCredentialPlace);
  const places = await Promise.all(paths.map(async (path) => surroundings.placeOf(path)));
  const shown = places.find(({holdsNoSecret}) => !holdsNoSecret);
  if (shown) miss(call, `it may show ${shown.path}, which git tracks`, {evenConfined: true});
}
