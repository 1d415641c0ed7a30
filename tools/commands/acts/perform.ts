/** Turns the acts of a program into effects: on places, on other systems, and of the commands that it runs in turn. */

import {isCredentialPlace} from '../../../machines/places/places.ts';
import type {EffectKind, Place} from '../effect.ts';
import {runInstallCode, runWorkspaceCode} from '../follow/follow-code.ts';
import {childWorld, followScript} from '../follow/follow-file.ts';
import {followTargets} from '../follow/follow-make.ts';
import {followPackageCommand, followPackageScript} from '../follow/follow-package.ts';
import type {Act, Role} from '../program.ts';
import {bylineOf, enclosed, type Call, type Scope, type Shell} from '../walk/shell.ts';
import {assignmentProblem} from '../walk/variables.ts';
import type {Word} from '../word.ts';
import {unknownValue, valueOf, type World} from '../words/world.ts';
import {wordsAlong} from './along.ts';
import {amend} from './amend.ts';
import {followLinks} from './links.ts';
import {missChanged} from './miss-changed.ts';
import {actOnPlaces, noteMakings, placeActOf, type Done, type Worker} from './place-acts.ts';
import {lookAtRepository, restore} from './repository.ts';
import {loadCode, runCode} from './run-code.ts';
import {loadShadows} from './shadowing.ts';
import {unsettledBy} from './unsettling.ts';

export async function performAll(
  shell: Shell,
  acts: readonly Act[],
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  const done: Done[] = [];
  for (const act of acts) {
    // oxlint-disable-next-line no-await-in-loop -- an act may make a folder or link on the next act's path
    const at = await placedAt(shell, act, world);
    const isLater = scope.isBackground || shell.places.makings.hasWaited();
    const worker = {name: call.name.text, by: bylineOf(call), folder: at.folder, isLater};
    const placeAct = placeActOf(act.role);
    if (placeAct) {
      // oxlint-disable-next-line no-await-in-loop -- acts happen in order
      done.push({act: placeAct, places: await actOnPlaces(shell, placeAct, act, worker)});
      // oxlint-disable-next-line no-await-in-loop -- as above
      await followLinks(shell, act, worker);
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    await perform(shell, act, {call, world: at, scope, worker});
  }
  emptyWithNothing(shell, done, call);
  noteMakings(shell, done, call.name.text);
  const unsettled = unsettledBy(call);
  if (unsettled) shell.places.makings.unsettle(unsettled);
  if (isWait(call)) shell.places.makings.wait();
}

/** A wait longer than the start of a program takes. */
function isWait({name, args}: Call): boolean {
  return (
    name.text === 'sleep' &&
    !args.every(({text, known}) => known && /^0*[0-5](?:\.\d+)?s?$/.test(text))
  );
}

/** `git -C folder`: the world in which the act happens. The system resolves links before `..`. */
async function placedAt({places}: Shell, {from}: Act, world: World): Promise<World> {
  if (!from) return world;
  const isSure = from.known && !from.pattern;
  return {...world, folder: isSure ? await places.realFolder(from.text, world.folder) : undefined};
}

interface Around {
  readonly call: Call;
  readonly world: World;
  readonly scope: Scope;
  readonly worker: Worker;
}

type Performer = (shell: Shell, act: Act, around: Around) => Promise<void> | void;

const performers: Readonly<Partial<Record<Role, Performer>>> = {
  text: () => undefined,
  unjudged: (shell, {word}) =>
    shell.ledger.miss({word: word.text, why: 'its effect on this word is unknown'}),
  command: runCommand,
  shell: runShell,
  script: async (shell, act, {call, world, scope}) => followScript(shell, act, call, world, scope),
  code: async (shell, act, {worker}) => runCode(shell, act.word, worker),
  loads: async (shell, act, {worker}) => {
    await loadCode(shell, act.word, worker);
  },
  modules: async (shell, act, {worker}) => loadShadows(shell, act.word, worker),
  'package-script': async (shell, act, {call, world, scope}) =>
    followPackageScript(shell, act, call, world, scope),
  'package-command': async (shell, act, {call, world, scope}) =>
    followPackageCommand(shell, act, call, world, scope),
  'make-targets': runTargets,
  repository: async (shell, act, {worker}) => lookAtRepository(shell, act.word, worker),
  amends: async (shell, _act, {worker}) => amend(shell, worker),
  restores: async (shell, act, {worker}) => restore(shell, act.word, worker),
};

async function perform(shell: Shell, act: Act, around: Around): Promise<void> {
  const performer = performers[act.role];
  if (performer) return performer(shell, act, around);
  addEffect(shell, act, around);
  if (act.role === 'runs') await runWorkspaceCode(shell, act.word.text, around.worker);
  if (act.role === 'installs') await runInstallCode(shell, act.word.text, around.worker);
}

/** Adds an act on something other than a place: an address, packages, a history. Its folder must be known and inside the workspace. */
function addEffect(shell: Shell, {role, word, isOwn, along = []}: Act, {worker}: Around): void {
  const kind = effectKinds.find((each) => each === role);
  if (!kind) return shell.ledger.miss({word: word.text, why: `"${role}" is not known`});
  for (const {text, known, pattern} of [word, ...along]) {
    if (!known || pattern)
      shell.ledger.miss({word: text, why: `a computed word for ${worker.name}`});
  }
  if (inFolder.has(kind)) missOutside(shell, kind, worker);
  if (kind === 'runs') missChanged(shell, worker.name);
  const words = wordsAlong(along);
  shell.ledger.add({
    kind,
    target: word.text,
    ...(isOwn ? {isOwn} : {}),
    ...(words.length > 0 ? {along: words} : {}),
    by: worker.by,
  });
}

const effectKinds: readonly EffectKind[] = [
  'fetches',
  'sends',
  'runs',
  'installs',
  'publishes',
  'records',
  'discards',
  'signals',
  'reveals',
  'alters',
];

const inFolder: ReadonlySet<EffectKind> = new Set(['runs', 'installs', 'records', 'discards']);

function missOutside(shell: Shell, kind: EffectKind, {folder, name, by}: Worker): void {
  const {workspace} = shell.places;
  if (folder === undefined)
    shell.ledger.miss({word: name, why: 'the folder that it starts in is not known'});
  else if (!`${folder}/`.startsWith(`${workspace}/`)) {
    shell.ledger.miss({word: name, why: 'starts outside the workspace'});
    if (kind === 'runs') return;
    const place: Place = {path: folder, inside: false, isFolder: true, state: 'unknown'};
    shell.ledger.add({kind: 'writes', target: folder, place, wide: true, by});
  }
}

async function runCommand(shell: Shell, act: Act, {call, world, scope}: Around): Promise<void> {
  const {word, rest = [], env = {}} = act;
  for (const [name, value] of Object.entries(env)) {
    const problem = assignmentProblem(name, value);
    if (problem) shell.ledger.miss(problem);
  }
  const text = [word, ...rest].map((each) => each.text.replace(/\*{3,}/, '**')).join(' ');
  const inner = {
    ...call,
    name: word,
    args: rest,
    env: {...call.env, ...env},
    text,
    isProgram: true as const,
  };
  await shell.runCall(inner, world, enclosed(scope));
}

async function runShell(
  shell: Shell,
  {word, rest}: Act,
  {call, world, scope}: Around,
): Promise<void> {
  if (!word.known || word.pattern) {
    return shell.ledger.miss({word: word.text, why: 'runs a computed text'});
  }
  const child = {...childWorld(world, call), ...operandsOfText(rest)};
  await shell.runText(word.text, bylineOf(call), child, enclosed(scope));
}

async function runTargets(
  shell: Shell,
  act: Act,
  {call, world, scope, worker}: Around,
): Promise<void> {
  const {word} = act;
  if (isCredentialPlace(word.text)) await actOnPlaces(shell, readsFile, {word}, worker);
  if (await followTargets(shell, act, call, world, scope)) return;
  const {acts = [], unknown = []} = act.otherwise ?? {};
  for (const each of unknown) shell.ledger.miss(each);
  await performAll(shell, acts, call, world, scope);
}

/** When `make` fails, it prints the line that it does not understand. */
const readsFile = {kind: 'reads', isTree: false, isLink: false} as const;

/** `sh -c TEXT NAME a b`: `$0` is NAME, `$1` is a. */
function operandsOfText(rest: readonly Word[] | undefined): Pick<World, 'self' | 'operands'> {
  const [self, ...operands] = rest ?? [];
  const isPlain = rest?.every(({known, pattern}) => known && !pattern) ?? false;
  return {
    self: self && isPlain ? valueOf(self) : unknownValue('$0'),
    operands: isPlain ? operands.map(valueOf) : undefined,
  };
}

/** `cp /dev/null file`. */
function emptyWithNothing(shell: Shell, done: readonly Done[], call: Call): void {
  const isEmpty = ['cp', 'cat', 'tee', 'dd', 'install'].includes(call.name.text);
  if (!isEmpty || !call.args.some(({text}) => /^(?:if=)?\/dev\/null$/.test(text))) return;
  const written = new Set(done.flatMap(({act, places}) => (act.kind === 'writes' ? places : [])));
  shell.ledger.revise(0, (effect) =>
    effect.kind === 'writes' &&
    effect.place &&
    written.has(effect.place) &&
    effect.place.state !== 'absent'
      ? {...effect, kind: 'empties'}
      : effect,
  );
}
