/** Turns a program's act on a place into an effect on the files there. */

import {posix} from 'node:path';

import {
  placeEffects,
  type Effect,
  type EffectKind,
  type Place,
  type PlaceState,
} from '../effect.ts';
import type {Act, Role} from '../program.ts';
import type {Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import {isLoadedPlace, worstOf, type Makings} from './makings.ts';

/** Reading or writing these places affects nothing. */
export const silentPlaces = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/[0-2])$/;

export interface PlaceAct {
  readonly kind: EffectKind;
  readonly isTree: boolean;
  /** The new file may be a link or contain one. */
  readonly isLink: boolean;
}

/** A program at work in a folder. */
export interface Worker {
  readonly name: string;
  readonly by: string;
  /** Absolute; undefined: not known. */
  readonly folder: string | undefined;
  /** In the background, or after a while: files that are absent now may exist by then. */
  readonly isLater: boolean;
}

export function placeActOf(role: Role): PlaceAct | undefined {
  if (role === 'links') return {kind: 'writes', isTree: false, isLink: true};
  const isTree = role.endsWith('-tree');
  const name = role.replace(/-tree$/, '');
  const kind = [...placeEffects].find((each) => each === name);
  return kind && {kind, isTree, isLink: isTree && (kind === 'writes' || kind === 'moves')};
}

/** Adds the effects of an act. Resolves with the affected places; none when they are unknown. */
export async function actOnPlaces(
  shell: Shell,
  act: PlaceAct,
  {word, into}: Pick<Act, 'word' | 'into'>,
  worker: Worker,
): Promise<readonly Place[]> {
  const isKept = looking.has(act.kind);
  const texts = await textsOf(shell, word, worker, isKept);
  if (texts === 'many') {
    const text = fixedPart(word.text);
    return actOn(shell, {...act, isTree: true}, {text, into, isPattern: true}, worker);
  }
  const places: Place[] = [];
  for (const text of texts) {
    // oxlint-disable-next-line no-await-in-loop -- within one limit of time
    places.push(...(await actOn(shell, act, {text, into, isPattern: word.pattern}, worker)));
  }
  return places;
}

/** The folder that contains all matches of a pattern. */
function fixedPart(pattern: string): string {
  const names = pattern.split('/');
  const fixed = names.slice(
    0,
    names.findIndex((name) => /[*?[]/.test(name)),
  );
  return fixed.join('/') || (pattern.startsWith('/') ? '/' : '.');
}

/** The paths that a word expands to; none when they are unknown. */
async function textsOf(
  shell: Shell,
  word: Word,
  {folder, name}: Worker,
  isKept: boolean,
): Promise<readonly string[] | 'many'> {
  if (!word.known) {
    shell.ledger.miss({word: word.text, why: `a computed place for ${name}`});
    return [];
  }
  if (!word.pattern) return word.text === '' || silentPlaces.test(word.text) ? [] : [word.text];
  const found = await shell.places.matches(word.text, folder, {isKept});
  if (found === undefined) {
    shell.ledger.miss({word: word.text, why: 'matches places that can not be listed'});
    return [];
  }
  if (found === 'many') return 'many';
  const {workspace} = shell.places;
  const isLiteral = found.length === 0 && !word.text.includes('**');
  if (isLiteral) return [word.text];
  return found.map((path) => (path.startsWith('/') ? path : `${workspace}/${path}`));
}

interface Target {
  readonly text: string;
  readonly into: readonly Word[] | undefined;
  readonly isPattern: boolean;
}

async function actOn(
  shell: Shell,
  act: PlaceAct,
  {text, into, isPattern}: Target,
  worker: Worker,
): Promise<readonly Place[]> {
  const {folder} = worker;
  const {makings} = shell.places;
  if (folder === undefined && !text.startsWith('/')) {
    shell.ledger.miss({word: text, why: 'the folder it lies in is not known'});
    return [];
  }
  const target = {text, into, isPattern};
  const isFolder = into ? await isFolderAt(shell, text, folder) : false;
  const inside = isFolder === false ? [] : await actInside(shell, act, target, worker);
  if (isFolder) return inside;
  const isOfLink = act.kind === 'deletes' || act.kind === 'moves' || isMadeLink(act);
  const place = await shell.places.look(text, folder, {
    isLinkItself: isOfLink && !text.endsWith('/'),
    isKept: looking.has(act.kind),
  });
  const doubt = doubtAbout(place, act, makings, worker);
  if (doubt !== undefined) shell.ledger.miss({word: text, why: doubt});
  shell.ledger.add(effectOf(act, place, isPattern, worker));
  return [...inside, place];
}

/** Only a folder can be named with a slash at the end. */
async function isFolderAt(
  {places}: Shell,
  text: string,
  folder: string | undefined,
): Promise<boolean | undefined> {
  const isFolder = places.makings.isFolder(await places.look(text, folder, {isKept: true}));
  return isFolder === undefined && text.endsWith('/') ? true : isFolder;
}

/** `ln` replaces a link; the other programs write through it. */
function isMadeLink({isTree, isLink}: PlaceAct): boolean {
  return isLink && !isTree;
}

const losing: ReadonlySet<EffectKind> = new Set(['deletes', 'moves', 'empties', 'writes']);

function doubtAbout(
  place: Place,
  {kind}: PlaceAct,
  makings: Makings,
  {isLater}: Worker,
): string | undefined {
  if (isLater && /^(?:absent|unknown)$/.test(place.state) && losing.has(kind))
    return 'what will be there by then is not known';
  return blindness(place, kind, makings);
}

/** The reason why the place's content is unknown. Undefined: it is known, or need not be, as for a folder that is only read. */
export function blindness(
  place: Place,
  kind: EffectKind,
  {isOpaque, isUnsettled}: Makings,
): string | undefined {
  if (isOpaque(place)) return 'may be a link that this command makes';
  const isNew = kind === 'creates' && !isUnsettled(place);
  const isHarmless = kind === 'lists' || isNew || (kind === 'reads' && place.isFolder);
  if (!place.inside || place.state !== 'unknown' || isHarmless) return undefined;
  return isUnsettled(place)
    ? 'may have changed, as this command switches to other versions'
    : 'could not be looked at';
}

/** `cp a b folder` writes `folder/a` and `folder/b`. */
async function actInside(
  shell: Shell,
  act: PlaceAct,
  {text, into = []}: Target,
  worker: Worker,
): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const source of into) {
    // oxlint-disable-next-line no-await-in-loop -- within one limit of time
    const found = await textsOf(shell, source, worker, true);
    const names = found === 'many' ? [source.text] : found;
    for (const name of names) {
      const inside = `${text.replace(/\/+$/, '')}/${posix.basename(name)}`;
      const target = {text: inside, into: undefined, isPattern: source.pattern};
      // oxlint-disable-next-line no-await-in-loop -- as above
      places.push(...(await actOn(shell, act, target, worker)));
    }
  }
  return places;
}

function effectOf(
  {kind, isTree}: PlaceAct,
  place: Place,
  isPattern: boolean,
  {by}: Worker,
): Effect {
  const isThere = place.state !== 'absent' || !place.inside;
  const isWide = (isPattern && isThere) || (isTree && place.isFolder);
  return {kind, target: place.path, place, ...(isWide ? {wide: true as const} : {}), by};
}

const looking: ReadonlySet<EffectKind> = new Set(['reads', 'lists']);

/** After these effects the place exists, even if it was absent before. */
const making: ReadonlySet<EffectKind> = new Set(['creates', 'writes']);

/** These effects bring content that a program may load. */
const loading: ReadonlySet<EffectKind> = new Set(['appends', 'edits', 'writes']);

/** They change only the layout of code, or make nothing with content. */
const harmlessMakers =
  /^(?:mkdir|touch|chmod|prettier|oxfmt|biome|ruff|black|isort|gofmt|rustfmt|clang-format)$/;

const plainMakers: ReadonlySet<string> = new Set(
  'mkdir touch tee cp mv install sed sort curl wget dd truncate split mktemp perl awk gawk jq yq prettier eslint ruff black gofmt rustfmt python python3 node npx tsc'.split(
    ' ',
  ),
);

export interface Done {
  readonly act: PlaceAct;
  readonly places: readonly Place[];
}

/** Records the places that a program has made and moved, so that later commands do not rely on the earlier look. */
export function noteMakings(shell: Shell, done: readonly Done[], name: string): void {
  const {makings} = shell.places;
  const of = (kinds: readonly EffectKind[]) =>
    done.flatMap(({act, places}) => (kinds.includes(act.kind) ? places : []));
  const isPlain =
    plainMakers.has(name) && !of(['reads', 'moves']).some((place) => mayHoldLink(place, makings));
  const carries = worstMoved(of(['moves']));
  for (const {act, places} of done.filter(({act: {kind}}) => !looking.has(kind))) {
    const isMade = making.has(act.kind);
    const mayLoad = loading.has(act.kind) && !harmlessMakers.test(name);
    const about = {
      isOpaque: act.isLink || (isMade && !isPlain),
      isThere: isMade,
      isGone: act.kind === 'deletes' || act.kind === 'moves',
      isFolder: name === 'mkdir',
      carries: isMade ? carries : undefined,
    };
    for (const place of places) {
      makings.add({path: place.path, ...about, isLoaded: mayLoad && isLoadedPlace(place)});
    }
  }
}

function mayHoldLink(place: Place, {isOpaque}: Makings): boolean {
  return place.isFolder || place.links !== undefined || isOpaque(place);
}

function worstMoved(moved: readonly Place[]): PlaceState | undefined {
  return moved.length > 0 ? worstOf(moved.map(({state}) => state)) : undefined;
}
