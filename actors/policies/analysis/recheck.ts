/** Checks the effects of an understood command against the workspace, for problems that its words do not show. */

import {isCredentialPlace} from '../../../machines/places/places.ts';
import {
  type Effect,
  ignoredByGit,
  type Place,
  type Unknown,
} from '../../../tools/commands/effect.ts';
import type {Surroundings} from '../../../tools/commands/surroundings.ts';
import {
  type SimpleCommand,
  type Understanding,
  usesGit,
} from '../../../tools/commands/understanding.ts';
import {compileGlob} from '../../../tools/read/glob.ts';
import {isKnownToGit} from '../../../tools/run/sandbox/closed.ts';
import {hasOption, options} from '../command-words.ts';
import {commandBy} from '../rule.ts';

/** Reasons why a fully understood command can't be judged. Never rejects. */
export async function recheckEffects(
  understanding: Understanding,
  surroundings: Surroundings,
): Promise<readonly Unknown[]> {
  const found = await Promise.all(
    understanding.effects.map(async (effect) => {
      if (effect.kind === 'reads') return await secretsBelow(effect, understanding, surroundings);
      return effect.kind === 'moves' ? await hiding(effect, understanding, surroundings) : [];
    }),
  );
  return found.flat();
}

/** Patterns of names of files that may contain credentials. Each match is checked again by its path. */
const names = [
  '.*',
  '*.env',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_*',
  'secret*',
  'credential*',
  'service?account*',
];

/** A doubt for a read of a whole tree, or of a pattern, that includes credentials. */
async function secretsBelow(
  {place, wide, by}: Effect,
  understanding: Understanding,
  surroundings: Surroundings,
): Promise<readonly Unknown[]> {
  const command = commandBy(by, understanding.commands);
  if (!wide || !place?.inside || isTool(by, understanding)) return [];
  if (!place.isFolder) {
    const isSecret = isCredentialPlace(place.path) && !place.holdsNoSecret;
    return isSecret ? [alsoRead(place, by, understanding)] : [];
  }
  const folder = place.path === '' ? '' : `${place.path}/`;
  const listed = await Promise.all(
    names.map(async (name) => namedBelow(folder, name, surroundings)),
  );
  const secrets = [...new Set(listed.flat())].filter(
    (path) => isCredentialPlace(path) && isRead(path, command),
  );
  const looked = await Promise.all(secrets.map(async (path) => surroundings.placeOf(path)));
  const first = looked.find((one) => !one.holdsNoSecret && isShown(one, command));
  return first ? [alsoRead(first, by, understanding)] : [];
}

/**
 * Confinement closes the file and so resolves the doubt, except for tracked files and commands that use git: git has their
 * content anyway.
 */
function alsoRead(place: Place, by: string, understanding: Understanding): Unknown {
  const isOpen = isKnownToGit(place) && usesGit(understanding);
  const why = `it also reads ${place.path}`;
  return {word: by, why, ...(isOpen ? ({evenConfined: true} as const) : {})};
}

function isShownByGit(state: Place['state'], command: SimpleCommand): boolean {
  if (hasWord(command, '--no-index')) return true;
  return state === 'untracked' && hasWord(command, '--untracked');
}

/** Tracked files are shown. A list by git (`****`) has no others; a list by a search (`***`) has no hidden or ignored ones. */
function isShown({state, path}: Place, command: SimpleCommand | undefined): boolean {
  if (/^(?:clean|changed)$/.test(state)) return true;
  if (state === 'absent' || hasWord(command, '****')) return false;
  if (command?.name === 'git') return isShownByGit(state, command);
  if (ignoredByGit.has(state) && leavesIgnored(command)) return false;
  return !(isHidden(path) && hasWord(command, '***'));
}

function hasWord(command: SimpleCommand | undefined, part: string): boolean {
  return command?.args.some(({text}) => text.includes(part)) ?? false;
}

/** Finds the name at any depth; in a tree that is too large, down to the second folder level. */
async function namedBelow(
  folder: string,
  name: string,
  {matches}: Surroundings,
): Promise<readonly string[]> {
  const all = await matches(`${folder}**/${name}`, {isKept: true});
  if (all) return all;
  const near = await Promise.all(
    ['', '*/', '*/*/'].map(async (way) => matches(folder + way + name)),
  );
  return near.flatMap((paths) => paths ?? []);
}

/** Programs that read only their own kinds of files in a tree: sources of a language, or files that they format. */
const ownFiles: ReadonlySet<string> = new Set(
  'prettier eslint oxlint oxfmt biome stylelint ruff black isort flake8 mypy pylint gofmt rustfmt shfmt'.split(
    ' ',
  ),
);

/** True for programs that read files of the workspace to run or edit them, and do not show them. */
function isTool(by: string, {effects, commands}: Understanding): boolean {
  if (ownFiles.has(commandBy(by, commands)?.name ?? '')) return true;
  return effects.some((effect) => effect.by === by && /^(?:runs|edits)$/.test(effect.kind));
}

/** True if the command reads the file. Searches skip hidden files, and files that their options do not include. */
function isRead(path: string, command: SimpleCommand | undefined): boolean {
  if (!command) return true;
  if (/^(?:rg|ag)$/.test(command.name)) {
    return (
      isUnhidden(command) ||
      !(isHidden(path) || isOfOtherType(path, command)) ||
      globsOf(command).some((glob) => isIncluded(glob, path))
    );
  }
  const included = options(command).flatMap((option) => /^--include=(.+)$/.exec(option)?.[1] ?? []);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return included.length === 0 || included.some((pattern) => isIncluded(pattern, name));
}

/** `rg -t ts` reads files with the name `*.ts`, approximately. */
function isOfOtherType(path: string, {args}: SimpleCommand): boolean {
  const types = args.flatMap(({text}, at) =>
    /^(?:-t|--type)$/.test(text)
      ? [args[at + 1]?.text ?? '']
      : (/^(?:-t|--type=)(.+)$/.exec(text)?.[1] ?? []),
  );
  return (
    types.length > 0 &&
    types.every((type) => !/all|conf|json|toml|txt|ya?ml/.test(type)) &&
    !path.endsWith('.env')
  );
}

function leavesIgnored(command: SimpleCommand | undefined): boolean {
  if (!command) return false;
  if (hasWord(command, '***')) return true;
  if (!/^(?:rg|ag)$/.test(command.name)) return false;
  return !isUnhidden(command) && globsOf(command).length === 0;
}

function isUnhidden(command: SimpleCommand): boolean {
  return hasOption(command, 'u.', '--hidden', '--no-ignore', '--unrestricted');
}

function isHidden(path: string): boolean {
  return /(?:^|\/)\./.test(path);
}

/** Globs of `rg`: matching files are searched even if they are hidden or ignored. */
function globsOf({args}: SimpleCommand): readonly string[] {
  const texts = args.map(({text}) => text);
  const values = texts.flatMap((text, at) => {
    if (/^(?:-\w*g|--i?glob)$/.test(text)) return texts[at + 1] ?? [];
    return /^(?:-g|--i?glob=)(.+)$/s.exec(text)?.[1] ?? [];
  });
  return values
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => (glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`));
}

function isIncluded(pattern: string, name: string): boolean {
  const glob = compileGlob(pattern, {hidden: true});
  return !glob.ok || glob.value.matches(name);
}

/** A doubt for a move of a tracked file into an ignored folder: for everybody else, the file is deleted. */
async function hiding(
  {place, by}: Effect,
  {effects}: Understanding,
  surroundings: Surroundings,
): Promise<readonly Unknown[]> {
  if (!place || !/^(?:clean|changed)$/.test(place.state)) return [];
  const targets = effects.filter((effect) => effect.by === by && effect.kind === 'writes');
  const folders = targets.map((target) => folderOf(target.place?.path ?? ''));
  const places = await Promise.all(folders.map((path) => surroundings.placeOf(path)));
  const hidden = places.find(({path, state}) => path !== '' && ignoredByGit.has(state));
  return hidden ? [{word: by, why: `it moves ${place.path} into a folder that git ignores`}] : [];
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
