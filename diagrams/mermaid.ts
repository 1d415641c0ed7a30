/**
 * Draws any machine as a Mermaid state diagram.
 *
 * Declarations come first, block by block. A transition stands in a block only when both its ends are children of that
 * block: Mermaid moves a state into the block in which a transition mentions it. All others follow at the outermost level.
 */

import type {AnyStateMachine} from 'xstate';

import {actionNames, escapeText, invokeLabel, transitionLabel} from './label.ts';

type Node = AnyStateMachine['root'];
type Ids = ReadonlyMap<Node, string>;

interface Edge {
  readonly from: Node;
  readonly to: Node;
  readonly label: string;
}

/** Names that Mermaid gives a meaning of its own. */
const reserved = ['root', 'state', 'note', 'end', 'class', 'classdef', 'style', 'direction', 'as'];

/** The machine as text in Mermaid's stateDiagram-v2, ending with a newline. The same machine gives the same text. */
export function toMermaid(machine: AnyStateMachine): string {
  const nodes = descendants(machine.root);
  const ids = idsOf(nodes);
  const far = nodes.flatMap(edgesOf).filter((edge) => blockOf(edge) === undefined);
  const parallel = machine.root.type === 'parallel';
  const body = parallel ? declaration(machine.root, ids) : block(machine.root, ids);
  return [
    '---',
    `title: ${JSON.stringify(machine.id)}`,
    '---',
    'stateDiagram-v2',
    ...[...body, ...far.map((edge) => edgeLine(edge, ids))].map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function descendants(node: Node): Node[] {
  return [node, ...Object.values(node.states).flatMap(descendants)];
}

/** Ids of letters, digits and underscores, unique in the diagram, in document order. */
function idsOf(nodes: readonly Node[]): Ids {
  const taken = new Set(reserved);
  return new Map(
    nodes.map((node) => {
      const id = freeId(node.path.join('_').replaceAll(/\W/g, '_') || 'machine', taken);
      taken.add(id.toLowerCase());
      return [node, id];
    }),
  );
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id.toLowerCase()); count += 1) id = `${wanted}_${count}`;
  return id;
}

/** What stands in the block of a compound or parallel state, or at the outermost level for the machine itself. */
function block(node: Node, ids: Ids): string[] {
  const children = Object.values(node.states);
  const declared = children.map((child) => declaration(child, ids));
  if (node.type === 'parallel') return regions([anyState(node, ids), ...declared]);
  const initial = node.initial?.target ?? [];
  const near = [node, ...children].flatMap(edgesOf).filter((edge) => blockOf(edge) === node);
  return [
    ...anyState(node, ids),
    ...declared.flat(),
    ...initial.map((target) => `[*] --> ${ids.get(target)}`),
    ...near.map((edge) => edgeLine(edge, ids)),
    ...children.filter(({type}) => type === 'final').map((child) => `${ids.get(child)} --> [*]`),
  ];
}

function regions(blocks: readonly (readonly string[])[]): string[] {
  return blocks
    .filter(({length}) => length > 0)
    .flatMap((lines) => ['--', lines].flat())
    .slice(1);
}

function declaration(node: Node, ids: Ids): string[] {
  const id = ids.get(node);
  const name = escapeText(node.path.at(-1) ?? node.id);
  const notes = notesOf(node);
  if (Object.keys(node.states).length > 0) {
    const label = [name, ...notes].join(' · ');
    return [`state "${label}" as ${id} {`, ...block(node, ids).map((line) => `  ${line}`), '}'];
  }
  const label = node.type === 'history' ? `${name} (history)` : name;
  return [`state "${label}" as ${id}`, ...notes.map((note) => `${id} : ${note}`)];
}

/** What a state does without leaving: entry and exit actions, invoked children, events that only act. */
function notesOf(node: Node): string[] {
  const entry = actionNames(node.entry);
  const exit = actionNames(node.exit);
  return [
    ...(entry.length > 0 ? [`entry / ${entry.join(', ')}`] : []),
    ...(exit.length > 0 ? [`exit / ${exit.join(', ')}`] : []),
    ...node.invoke.map(invokeLabel),
    ...transitionsOf(node)
      .filter(({target}) => target === undefined)
      .map(transitionLabel),
  ].map(escapeText);
}

/** A stand-in for "wherever the parent stands", when an event leads from all of a parent's children to one of them. */
function anyState(node: Node, ids: Ids): string[] {
  const leadsInside = transitionsOf(node).some(({target}) =>
    target?.some((to) => isInside(to, node)),
  );
  const notes = node.parent || node.type === 'parallel' ? [] : notesOf(node);
  if (!leadsInside && notes.length === 0) return [];
  const id = anyId(node, ids);
  return [`state "any state" as ${id}`, ...notes.map((note) => `${id} : ${note}`)];
}

function anyId(node: Node, ids: Ids): string {
  return freeId(`any_of_${ids.get(node)}`, new Set(ids.values()));
}

function transitionsOf(node: Node) {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

function edgesOf(node: Node): Edge[] {
  return transitionsOf(node).flatMap((transition) =>
    (transition.target ?? []).map((to) => ({from: node, to, label: transitionLabel(transition)})),
  );
}

/** The state in whose block the transition stands; undefined for the outermost level's end. */
function blockOf({from, to}: Edge): Node | undefined {
  const home = isInside(to, from) ? from : from.parent;
  return to.parent === home && home?.type !== 'parallel' ? home : undefined;
}

function isInside(node: Node, ancestor: Node): boolean {
  return node.parent !== undefined && (node.parent === ancestor || isInside(node.parent, ancestor));
}

function edgeLine({from, to, label}: Edge, ids: Ids): string {
  const source = isInside(to, from) ? anyId(from, ids) : ids.get(from);
  return `${source} --> ${ids.get(to)} : ${escapeText(label)}`;
}
