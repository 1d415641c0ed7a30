/** Targets of a Makefile: the effects of their recipes and of the recipes of their prerequisites. */

import {posix} from 'node:path';

import {missChanged} from '../acts/miss-changed.ts';
import type {Place} from '../effect.ts';
import type {Act} from '../program.ts';
import {bylineOf, deeper, type Call, type Scope, type Shell} from '../walk/shell.ts';
import {isGuarded} from '../walk/variables.ts';
import {unknownValue, type World} from '../words/world.ts';
import {childWorld, isAround, noteFollowed} from './follow-file.ts';
import {expandMake, type Automatic} from './make-variables.ts';
import {readMakefile, withoutDot, type Makefile, type MakeRule} from './makefile.ts';

/**
 * Resolves with true if everything was understood. Otherwise the understood parts are recorded and the missed parts are not:
 * the file as a whole is then judged.
 */
export async function followTargets(
  shell: Shell,
  {word, rest = []}: Act,
  call: Call,
  world: World,
  scope: Scope,
): Promise<boolean> {
  const found = await findMakefile(shell, word.text, world);
  const overrides = new Map(rest.flatMap(({text}) => overrideIn(text)));
  if (!found || isSteered(world, overrides)) return false;
  const name = withoutDot(word.text || posix.basename(found.place.path));
  const environment = new Set([...world.variables.keys(), ...Object.keys(call.env)]);
  const makefile = readMakefile(found.text, {name, overrides, environment});
  if (!makefile) return false;
  const start = startOf(world, call, overrides, makefile);
  const work = {shell, makefile, ...found, call, start, scope, made: new Set<string>()};
  const asked = rest.map(({text}) => text).filter((text) => !text.includes('='));
  return makeAll(work, name, asked.length > 0 ? asked : [makefile.goal ?? '']);
}

/** Variables are set that `make`, or a program that it runs, obeys. */
function isSteered({variables}: World, overrides: ReadonlyMap<string, string>): boolean {
  return variables.has('MAKEFLAGS') || [...overrides.keys()].some(isGuarded);
}

function overrideIn(text: string): readonly (readonly [string, string])[] {
  const [, name, value = ''] = /^(\w+)=([\w.,/@%+:-]*)$/.exec(text) ?? [];
  return name === undefined ? [] : [[name, value]];
}

/**
 * The world in which each line of a recipe starts. Variables of the command line are passed to each `make` below, which is
 * then not followed.
 */
function startOf(
  world: World,
  call: Call,
  overrides: ReadonlyMap<string, string>,
  {variables}: Makefile,
): World {
  const start = childWorld(world, call);
  const handedOn = overrides.size > 0 ? [...overrides.keys(), 'MAKEFLAGS'] : [];
  const changed = [...start.variables.keys()].filter((name) => variables.has(name));
  const unsure = [...handedOn, ...changed].map((name) => [name, unknownValue(`$${name}`)] as const);
  return {...start, variables: new Map([...start.variables, ...unsure])};
}

async function makeAll(work: Work, name: string, goals: readonly string[]): Promise<boolean> {
  const {ledger} = work.shell;
  const missed = ledger.missed();
  let isWhole = !(await isDerived(work, name));
  for (const goal of goals) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    isWhole = (await make(work, withoutDot(goal))) && isWhole;
  }
  if (isWhole && ledger.missed() === missed) return true;
  ledger.forget(missed);
  return false;
}

interface Found {
  readonly place: Place;
  readonly text: string;
}

/** Some versions of `make` know the first name, others don't. */
const usualNames = ['GNUmakefile', 'makefile', 'Makefile'];

/** Undefined: no file can be read, or it is uncertain which one applies. */
async function findMakefile(
  shell: Shell,
  name: string,
  {folder}: World,
): Promise<Found | undefined> {
  const names = name === '' ? usualNames : [name];
  const places = await Promise.all(names.map(async (each) => shell.places.look(each, folder)));
  if (places.some((place) => shell.places.makings.touches(place))) return undefined;
  const [place, more] = places.filter(({state}) => state !== 'absent');
  const isFirst = !more || places[0]?.state === 'absent';
  const text = place?.inside && isFirst ? await shell.places.readFileText(place) : undefined;
  return place && text !== undefined ? {place, text} : undefined;
}

interface Work extends Found {
  readonly shell: Shell;
  readonly makefile: Makefile;
  readonly call: Call;
  /** The world in which each line of a recipe starts. */
  readonly start: World;
  readonly scope: Scope;
  /** Targets that were made. */
  readonly made: Set<string>;
}

const maxTargets = 100;

/** Resolves with true if it is known which recipes run. */
async function make(work: Work, name: string): Promise<boolean> {
  if (work.made.has(name)) return true;
  work.made.add(name);
  if (work.made.size > maxTargets) return false;
  const rule = work.makefile.rules.get(name);
  let isWhole = await isSure(work, name, rule);
  for (const each of rule?.prerequisites ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    isWhole = (await make(work, each)) && isWhole;
  }
  if (rule) await cook(work, name, rule);
  return isWhole;
}

/** Its own recipe makes it, or none does: it is an existing file, or a name for others. */
async function isSure(work: Work, name: string, rule: MakeRule | undefined): Promise<boolean> {
  if (rule && !rule.prerequisites) return false;
  if (rule?.recipe || work.makefile.phony.has(name)) return true;
  const {state} = await work.shell.places.look(name, work.start.folder);
  const isKnown = rule !== undefined || state !== 'absent';
  return isKnown && !sources.test(name) && !(await isDerived(work, name));
}

/** Endings of files that `make` can make, or make something from, by its built-in rules. */
const sources =
  /\.(?:out|a|ln|o|c|cc|C|cpp|p|f|F|m|r|y|l|ym|yl|s|S|mod|sym|def|h|info|dvi|tex|texinfo|texi|txinfo|w|ch|web|sh|elc|el)$/;

/** `make` may make it from another file by a built-in rule: `x` from `x.sh`, or from an old version archive. */
async function isDerived({shell, makefile, start}: Work, name: string): Promise<boolean> {
  const {places} = shell;
  const {folder} = start;
  if (makefile.hasPatterns && name.includes('.')) return true;
  const found = await places.matches(`${name}.*`, folder, {isKept: true});
  if (found === undefined || found === 'many' || found.some((path) => sources.test(path))) {
    return true;
  }
  const base = posix.basename(name);
  const archives = [`${base},v`, `RCS/${base},v`, `RCS/${base}`, `s.${base}`, `SCCS/s.${base}`];
  const looked = await Promise.all(
    archives.map(async (path) => places.look(`${posix.dirname(name)}/${path}`, folder)),
  );
  return looked.some((place) => place.state !== 'absent' || places.makings.touches(place));
}

/** Each line in a shell of its own. */
async function cook(work: Work, name: string, rule: MakeRule): Promise<void> {
  const {shell, place, text, start, makefile} = work;
  const id = `${place.path}: ${name}`;
  const {recipe = []} = rule;
  if (recipe.length === 0 || isAround(shell, id, work.scope)) return;
  missChanged(shell, id);
  const lines = recipe.map((line) => expandMake(line, makefile.variables, automatic(name, rule)));
  const shown = lines.map((line, at) => line.text ?? recipe[at]).join('\n');
  noteFollowed(shell, id, text, shown);
  const inner = {...deeper(work.scope, id), frames: []};
  for (const line of lines) {
    if (line.text === undefined)
      shell.ledger.miss({word: id, why: 'computes the command that it runs'});
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    else await shell.runText(line.text.replace(/^[\s@+-]+/, ''), id, start, inner);
  }
  if (makefile.deletesOnError && !makefile.phony.has(name)) await deleteHalf(work, name);
}

function automatic(name: string, {prerequisites}: MakeRule): Automatic {
  const target = {'@': name};
  if (!prerequisites) return target;
  return {...target, '<': prerequisites[0] ?? '', '^': [...new Set(prerequisites)].join(' ')};
}

/** `.DELETE_ON_ERROR` */
async function deleteHalf({shell, start, call}: Work, name: string): Promise<void> {
  const place = await shell.places.look(name, start.folder);
  shell.ledger.add({kind: 'deletes', target: place.path, place, by: bylineOf(call)});
}
