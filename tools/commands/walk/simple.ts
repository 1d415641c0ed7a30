/** Follows one simple command: its words, its variables, its redirections, then its call. */

import type {Effect} from '../effect.ts';
import type {RawAssignment, RawRedirect, Simple} from '../grammar/grammar.ts';
import type {Word} from '../word.ts';
import {expandText, expandWords} from '../words/expand.ts';
import {
  distinct,
  sharedInput,
  unknownValue,
  valueOf,
  withStatus,
  withVariable,
  type World,
} from '../words/world.ts';
import {builtins, specialBuiltins} from './builtins.ts';
import {declare, declarers} from './declare.ts';
import {note} from './note.ts';
import {redirect} from './redirect.ts';
import {runProgram} from './run-program.ts';
import {deeper, frameOf, type Call, type Scope, type Shell} from './shell.ts';
import {assignmentProblem} from './variables.ts';

export async function runSimple(
  shell: Shell,
  node: Simple,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const expander = shell.expander(scope, isTest.test(node.text) ? undefined : node.text);
  const declarer = declarers.has(node.words[0]?.written ?? '');
  const words = declarer ? node.words.slice(0, 1) : node.words;
  const {is: expanded, world: named} = await expandWords(words, world, expander);
  const mark = shell.ledger.mark();
  const isEmpty = printsNothing(expanded, node.redirects.some(readsNothing));
  const opened = await redirect(shell, {...node, isEmpty}, named, scope);
  const failed = opened.mayFail ? [withStatus(named, 'failure')] : [];
  for (const made of opened.made) shell.places.makings.add({...made, isLoaded: false});
  const [name, ...args] = expanded;
  const assigned = await assign(shell, node.assignments, opened.world, scope);
  if (!name) return distinct([...failed, assigned.world]);
  const {env} = assigned;
  const call: Call = {
    name,
    args,
    env,
    text: node.text,
    redirects: opened.shown,
    input: opened.input,
  };
  const start = assigned.aside;
  const after = declarer
    ? await declare(shell, node, call, forgetting(call, start), scope)
    : await runCall(shell, call, start, scope);
  for (const made of opened.made) shell.places.makings.add(made);
  shell.places.settleTruncations(shell.ledger, mark);
  return distinct([...failed, ...after]);
}

/** A command that only compares reveals nothing. */
const isTest = /^(?:\[|test)\s/;

/** `: > f`, `cat /dev/null > f`, `echo -n > f`. */
function printsNothing([name, ...args]: readonly Word[], hasNoInput: boolean): boolean {
  if (!name) return true;
  if ([name, ...args].some((word) => !word.known || word.pattern)) return false;
  const texts = args.map(({text}) => text);
  if (hasNoInput && texts.length === 0 && name.text === 'cat') return true;
  return silent.test(name.text) || (silentWith[name.text]?.(texts) ?? false);
}

function readsNothing({operator, target}: RawRedirect): boolean {
  return operator === '<' && target.written === '/dev/null';
}

const silent = /^(?:|:|true|false|exec|\[|test)$/;

const silentWith: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  cat: (args) => args.length > 0 && args.every((arg) => arg === '/dev/null'),
  echo: ([option, ...args]) => option === '-n' && args.join('') === '',
  printf: (args) => args.join('') === '',
};

interface Assigned {
  readonly env: Readonly<Record<string, Word>>;
  /** The world with all variables set. */
  readonly world: World;
  /** The world after variables that are only set for a command: with assignments in their values, `Y=${X:=1} ls`, if shells agree. */
  readonly aside: World;
}

/** Each assignment may use the variables set by the previous ones. */
async function assign(
  shell: Shell,
  assignments: readonly RawAssignment[],
  world: World,
  scope: Scope,
): Promise<Assigned> {
  let after = world;
  let aside = world;
  const env: Record<string, Word> = {};
  for (const {name, value} of assignments) {
    // oxlint-disable-next-line no-await-in-loop -- as the doc comment says
    const {is: word, world: next} = await expandText(value, after, shell.expander(scope));
    const problem = assignmentProblem(name, word);
    if (problem) shell.ledger.miss(problem);
    env[name] = word;
    for (const each of changedIn(after, next)) {
      aside = withVariable(aside, each, unknownValue(`$${each}`));
    }
    after = withVariable(next, name, valueOf(word));
  }
  const isSure = assignments.every(({value}) => value.parts.every(({kind}) => kind === 'text'));
  return {env, world: withStatus(after, isSure ? 'success' : 'any'), aside};
}

function changedIn({variables: before}: World, {variables}: World): readonly string[] {
  return [...variables].filter(([name, value]) => before.get(name) !== value).map(([name]) => name);
}

/** Follows a call of a function, a builtin or a program. */
export async function runCall(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const {name} = call;
  if (!name.known || name.pattern) {
    note(shell, call, world, scope);
    shell.ledger.miss({word: name.text, why: 'a computed program name'});
    return [withStatus(world, 'any')];
  }
  if (!call.isProgram && world.functions.has(name.text)) {
    note(shell, call, world, scope);
    return runFunction(shell, call, world, scope);
  }
  const builtin = builtins.get(name.text);
  if (!builtin) {
    const mark = shell.ledger.mark();
    await runProgram(shell, call, world, scope);
    if (shell.ledger.effects().slice(mark).some(isRun)) shell.places.makings.unsettle('folders');
    return [withStatus(world, 'any')];
  }
  note(shell, call, world, scope);
  const set = specialBuiltins.has(name.text) ? forgetting(call, world) : world;
  return builtin(shell, call, withStatus(set, 'any'), scope);
}

function isRun({kind}: Effect): boolean {
  return kind === 'runs';
}

/** Shells differ in whether variables set in front of a function or a builtin stay set. */
function forgetting({env}: Call, world: World): World {
  return Object.keys(env).reduce(
    (after, name) => withVariable(after, name, unknownValue(`$${name}`)),
    world,
  );
}

async function runFunction(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const {text: name} = call.name;
  const body = world.functions.get(name);
  if (!body) return [world];
  if (specialBuiltins.has(name)) {
    shell.ledger.miss({word: name, why: 'a function that shells call differently'});
  }
  const frame = frameOf('function');
  const inner = {...deeper(scope), frames: [...scope.frames, frame]};
  const set = forgetting(call, world);
  const input = sharedInput(call.input, world);
  const operands = call.args.every(({known, quoted}) => known || quoted)
    ? call.args.map(valueOf)
    : undefined;
  const start = {...set, operands, input, status: 'any' as const};
  const after = await shell.run([{node: body, isBackground: false}], [start], inner);
  const back = (left: World): World => ({
    ...[...frame.locals].reduce(
      (now, each) => withVariable(now, each, unknownValue(`$${each}`)),
      left,
    ),
    operands: world.operands,
    input: world.input,
  });
  return distinct([...after, ...frame.leaps].map(back));
}
