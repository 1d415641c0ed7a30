/** Runs a call of a program: looks it up in the table, reads it, and performs its acts. */

import {posix} from 'node:path';

import {missChanged} from '../acts/miss-changed.ts';
import {performAll} from '../acts/perform.ts';
import {computedReach} from '../computed-reach.ts';
import type {Place, Unknown} from '../effect.ts';
import {runFileCode} from '../follow/follow-code.ts';
import {followScript} from '../follow/follow-file.ts';
import type {Invocation, Program, Reading} from '../program.ts';
import {readProgram} from '../read-program.ts';
import {programs} from '../table/programs.ts';
import {wordOf} from '../word.ts';
import {inputOf, type World} from '../words/world.ts';
import {note} from './note.ts';
import {bylineOf, deeper, type Call, type Scope, type Shell} from './shell.ts';

/** Folders that a workspace can't write to. */
const systemFolder = /^\/(?:usr\/(?:local\/)?)?s?bin\/$|^\/opt\/homebrew\/bin\/$/;

export async function runProgram(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  const [, folder = '', name = ''] = /^(.*\/|)([^/]*)$/s.exec(call.name.text) ?? [];
  if (folder !== '' && !systemFolder.test(folder)) {
    note(shell, call, world, scope);
    return runFile(shell, call, world, scope);
  }
  if (name === '') return;
  const program = programs.get(name);
  if (program) return runKnown(shell, program, {...call, name: wordOf(name)}, world, scope);
  note(shell, call, world, scope);
  shell.ledger.miss({word: call.name.text, why: 'no known program'});
}

async function runKnown(
  shell: Shell,
  program: Program,
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  const {text: name} = call.name;
  await missOptionLike(shell, call, world);
  const reading = readSafely(program, readCall(call, world));
  const {isTest = false, unknown} = reading;
  note(shell, call, world, scope, isTest);
  if (isTest) missChanged(shell, name);
  if (isShadowed(shell, name, scope)) {
    shell.ledger.miss({word: name, why: 'this run has written a program of this name'});
  }
  for (const each of unknown) shell.ledger.miss(ofProgram(name, each));
  await performAll(shell, reading.acts, call, world, scope);
  for (const act of computedReach(program, readCall(call, world))) {
    shell.ledger.add({...act, by: bylineOf(call)});
  }
}

/** Names an option together with the program that it belongs to. */
function ofProgram(name: string, {word, why}: Unknown): Unknown {
  return {word: word.startsWith('-') ? `${name} ${word}` : word, why};
}

/** Package scripts find the programs of packages first. */
function isShadowed({places}: Shell, name: string, {following}: Scope): boolean {
  const isInPackage = following.some((each) => each.includes('package.json: '));
  return isInPackage && places.hasWritten(`node_modules/.bin/${name}`);
}

function readCall({name, args, env, input}: Call, world: World): Invocation {
  return {name: name.text, args, env, input: inputOf(input, world)};
}

function readSafely(program: Program, call: Invocation): Reading {
  try {
    return readProgram(program, call);
  } catch {
    return {acts: [], unknown: [{word: call.name, why: 'could not be read'}]};
  }
}

/** A pattern that begins with a wildcard may match a file whose name is an option. */
async function missOptionLike(shell: Shell, {args}: Call, {folder}: World): Promise<void> {
  const ends = args.findIndex(({text, known}) => known && text === '--');
  const open = ends < 0 ? args : args.slice(0, ends);
  for (const {text, pattern, known} of open) {
    if (!pattern || !known || !/^[*?[]/.test(text)) continue;
    // oxlint-disable-next-line no-await-in-loop -- seldom more than one
    const found = await shell.places.matches(text, folder);
    if (
      found === undefined ||
      found === 'many' ||
      found.some((each) => /(?:^|\/)-[^/]*$/.test(each)) ||
      shell.places.makings.hasOptionLike()
    ) {
      shell.ledger.miss({word: text, why: 'may stand for a file whose name is an option'});
    }
  }
}

/** `./a.sh`, `node_modules/.bin/vitest`. */
async function runFile(shell: Shell, call: Call, world: World, scope: Scope): Promise<void> {
  const {name} = call;
  const miss = (why: string) => shell.ledger.miss({word: name.text, why});
  if (world.folder === undefined && !name.text.startsWith('/')) {
    return miss('the folder it lies in is not known');
  }
  const place = await shell.places.look(name.text, world.folder);
  if (shell.places.makings.touches(place)) return miss('this command changes it before it runs');
  if (place.state === 'absent') return miss('does not exist, so its content is unknown');
  if (!place.inside) return miss('a program outside the workspace');
  const installed = /(?:^|\/)node_modules\/\.bin\/([^/]+)$/s.exec(name.text)?.[1];
  if (installed === undefined) return runOwn(shell, place, call, world, scope);
  if (shell.places.isWritten(place.path)) return miss('this run has written the program');
  const program = {...call, name: wordOf(installed), isProgram: true as const};
  await shell.runCall(program, world, deeper(scope));
}

async function runOwn(
  shell: Shell,
  place: Place,
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  const {name, args} = call;
  const worker = {name: name.text, by: bylineOf(call), folder: world.folder, isLater: false};
  const last = posix.basename(place.path);
  if (isTrusted(place) && programs.has(last)) {
    shell.ledger.add({kind: 'runs', target: place.path, place, by: worker.by});
    return runProgram(shell, {...call, name: wordOf(last)}, world, scope);
  }
  const text = await shell.places.readFileText(place);
  if (text !== undefined && (shebang.test(text) || !text.startsWith('#!'))) {
    return followScript(shell, {word: name, rest: args}, call, world, scope);
  }
  await runFileCode(shell, place, {...worker, name: interpreterIn(text)});
  if (text === undefined) {
    shell.ledger.miss({word: name.text, why: 'a program that can not be read'});
  }
}

/** `#!/usr/bin/env python3`: the program's name. */
function interpreterIn(text = ''): string {
  return /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(?:\S*\/)?([\w.-]+)/.exec(text)?.[1] ?? '';
}

/** A committed program, or one of an environment that git ignores: judged by its name in the table. */
function isTrusted({path, state}: Place): boolean {
  return state === 'clean' || (state === 'ignored' && /(?:^|\/)\.?venv\/bin\/[^/]+$/.test(path));
}

/** The first line of a script for a shell that can be followed. A script without such a line runs in a shell as well. */
const shebang = /^#!\s*(?:\/usr)?\/bin\/(?:env\s+)?(?:ba|da|)sh(?:\s+-[eux]+)?\s*(?:\n|$)/;
