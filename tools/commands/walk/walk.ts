/** Follows a script: the commands that run, and the worlds in which they run. Every possible branch is followed. */

import {pathsPiped} from '../follow/piped-paths.ts';
import type {Node, Script} from '../grammar/grammar.ts';
import {expandText} from '../words/expand.ts';
import {distinct, sharedInput, withInput, withStatus, type World} from '../words/world.ts';
import {followLoop, followWhile} from './loops.ts';
import {redirect} from './redirect.ts';
import {deeper, enclosed, maxDepth, type Scope, type Shell} from './shell.ts';
import {runSimple} from './simple.ts';

export async function runScript(
  shell: Shell,
  script: Script,
  worlds: readonly World[],
  scope: Scope,
): Promise<readonly World[]> {
  let current = worlds;
  for (const {node, isBackground} of script) {
    const before = distinct(current.map((world) => withStatus(world, 'any')));
    // oxlint-disable-next-line no-await-in-loop -- a command may change what the next one means
    const after = await runIn(
      shell,
      node,
      before,
      isBackground ? {...enclosed(scope), isBackground} : scope,
    );
    current = isBackground ? before.map((world) => withStatus(world, 'success')) : after;
  }
  return distinct(current);
}

async function runIn(
  shell: Shell,
  node: Node,
  worlds: readonly World[],
  scope: Scope,
): Promise<readonly World[]> {
  const after: World[] = [];
  for (const world of worlds) {
    // oxlint-disable-next-line no-await-in-loop -- files written in one world count in the next
    after.push(...(await runNode(shell, node, world, scope)));
  }
  return distinct(after);
}

async function runNode(
  shell: Shell,
  node: Node,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  if (scope.depth > maxDepth) {
    shell.ledger.miss({word: 'the text', why: 'goes too deep to follow'});
    return [world];
  }
  if (!shell.ledger.step()) return [world];
  const {kind} = node;
  if (kind === 'simple') return runSimple(shell, node, world, scope);
  if (kind === 'pipe') return runPipe(shell, node, world, scope);
  if (kind === 'chain') return runChain(shell, node, world, scope);
  if (kind === 'either') {
    const ways = node.nodes.map((each) => () => runNode(shell, each, world, scope));
    return inTurn(ways);
  }
  if (kind === 'opaque') {
    shell.ledger.miss({word: node.word, why: node.why});
    return [world];
  }
  return runCompound(shell, node, world, deeper(scope));
}

async function inTurn(
  ways: readonly (() => Promise<readonly World[]>)[],
): Promise<readonly World[]> {
  const [way, ...more] = ways;
  return way ? distinct([...(await way()), ...(await inTurn(more))]) : [];
}

type Simpler = 'either' | 'simple' | 'pipe' | 'chain' | 'opaque';

async function runCompound(
  shell: Shell,
  node: Exclude<Node, {readonly kind: Simpler}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const {kind} = node;
  if (kind === 'if') return runIf(shell, node, world, scope);
  if (kind === 'for') return followLoop(shell, node, world, scope);
  if (kind === 'while') return followWhile(shell, node, world, scope);
  if (kind === 'case') return runCase(shell, node, world, scope);
  if (kind === 'group') return shell.run(node.body, [world], scope);
  if (kind === 'subshell') return runApart(shell, node.body, world, scope);
  if (kind === 'redirected') return runRedirected(shell, node, world, scope);
  return [
    withStatus(
      {...world, functions: new Map([...world.functions, [node.name, node.body]])},
      'success',
    ),
  ];
}

/** In a shell of its own: variables that it sets are gone afterwards. */
async function runApart(
  shell: Shell,
  script: Script,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  await shell.run(script, [world], enclosed(scope));
  return [withStatus(world, 'any')];
}

async function runPipe(
  shell: Shell,
  {nodes, isNegated}: Extract<Node, {readonly kind: 'pipe'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [only, ...more] = nodes;
  if (only && more.length === 0) {
    const after = await runNode(shell, only, world, scope);
    return isNegated ? after.map(negated) : after;
  }
  const mark = shell.ledger.mark();
  for (const [at, node] of nodes.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the commands before it decide its input
    const paths = await pathsPiped(shell, nodes.slice(0, at), node, world, scope);
    const input = at === 0 ? world.input : (paths ?? 'pipe');
    // oxlint-disable-next-line no-await-in-loop -- effects are recorded in order
    await runNode(shell, node, withStatus({...world, input}, 'any'), enclosed(scope));
  }
  shell.places.settleTruncations(shell.ledger, mark);
  return [withStatus(world, 'any')];
}

function negated(world: World): World {
  if (world.status === 'any') return world;
  return withStatus(world, world.status === 'success' ? 'failure' : 'success');
}

async function runChain(
  shell: Shell,
  {first, rest}: Extract<Node, {readonly kind: 'chain'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  let current = await runNode(shell, first, world, scope);
  for (const {operator, node} of rest) {
    const [goesOn, stops] =
      operator === '&&' ? (['success', 'failure'] as const) : (['failure', 'success'] as const);
    const taken = current
      .filter(({status}) => status !== stops)
      .map((each) => withStatus(each, goesOn));
    const left = current
      .filter(({status}) => status !== goesOn)
      .map((each) => withStatus(each, stops));
    // oxlint-disable-next-line no-await-in-loop -- one link decides on the next
    current = distinct([...left, ...(await runIn(shell, node, taken, scope))]);
  }
  return current;
}

async function runIf(
  shell: Shell,
  {branches, otherwise}: Extract<Node, {readonly kind: 'if'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const after: World[] = [];
  let open: readonly World[] = [world];
  for (const {test, body} of branches) {
    // oxlint-disable-next-line no-await-in-loop -- a test that fails leads to the next
    const tested = await shell.run(test, open, scope);
    const taken = tested.filter(({status}) => status !== 'failure');
    // oxlint-disable-next-line no-await-in-loop -- as above
    after.push(...(await shell.run(body, taken, scope)));
    open = tested.filter(({status}) => status !== 'success');
  }
  after.push(...(otherwise ? await shell.run(otherwise, open, scope) : open));
  return distinct(after.map((each) => withStatus(each, 'any')));
}

async function runCase(
  shell: Shell,
  {word, items}: Extract<Node, {readonly kind: 'case'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const expander = shell.expander(scope);
  let {world: tested} = await expandText(word, world, expander);
  const after: World[] = [];
  for (const {patterns, body} of items) {
    for (const pattern of patterns) {
      // oxlint-disable-next-line no-await-in-loop -- a pattern may set what the next one reads
      ({world: tested} = await expandText(pattern, tested, expander));
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    after.push(...(await shell.run(body, [tested], scope)));
  }
  return distinct([...after, tested].map((each) => withStatus(each, 'any')));
}

/** If the redirection fails, nothing of it runs. */
async function runRedirected(
  shell: Shell,
  {node, redirects, text}: Extract<Node, {readonly kind: 'redirected'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const mark = shell.ledger.mark();
  const opened = await redirect(shell, {redirects, text, isEmpty: false}, world, scope);
  for (const made of opened.made) shell.places.makings.add(made);
  const input = sharedInput(opened.input, world);
  const after = await runNode(shell, node, {...opened.world, input}, scope);
  shell.places.settleTruncations(shell.ledger, mark);
  const back = after.map((each) => withInput(each, world.input));
  return distinct(opened.mayFail ? [...back, withStatus(world, 'failure')] : back);
}
