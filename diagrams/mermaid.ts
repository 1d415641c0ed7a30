/**
 * Draws any machine as a Mermaid state diagram.
 *
 * Declarations come first, block by block. A transition stands in a block only when both its ends are children of that
 * block: Mermaid moves a state into the block in which a transition mentions it. All others follow at the outermost level.
 */

import type {AnyStateMachine} from 'xstate';

import {type ChartNode, nodesOf, transitionsOf} from '../machines/testing/chart.ts';
import {actionNames, escapeText, isChoice, isFailure, transitionLabel} from './label.ts';
import {notesOf} from './notes.ts';

type Ids = ReadonlyMap<ChartNode, string>;

/** All ways from one state to another. */
interface Edge {
  readonly from: ChartNode;
  readonly to: ChartNode;
  readonly labels: readonly string[];
}

/** Names that Mermaid gives a meaning of its own. */
const reserved = ['root', 'state', 'note', 'end', 'class', 'classdef', 'style', 'direction', 'as'];

/** The machine as text in Mermaid's stateDiagram-v2, ending with a newline. The same machine gives the same text. */
export function toMermaid(machine: AnyStateMachine): string {
  const nodes = nodesOf(machine.root);
  const ids = idsOf(nodes);
  const far = nodes.flatMap(edgesOf).filter((edge) => blockOf(edge) === undefined);
  const parallel = machine.root.type === 'parallel';
  const body = parallel ? declaration(machine.root, ids) : block(machine.root, ids);
  const lines = [...body, ...far.map((edge) => edgeLine(edge, ids)), ...finalLines(nodes, ids)];
  return [
    '---',
    `title: ${JSON.stringify(machine.id)}`,
    '---',
    'stateDiagram-v2',
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** The way through a machine, for a first look: no notes, no failures, of the ends only the first. */
export function toSketch({root}: AnyStateMachine): string {
  const children = Object.values(root.states);
  const goal = children.find(({type}) => type === 'final');
  const ids = idsOf([root, ...children]);
  const choices = children.filter(isChoice).map((node) => choiceLine(node, ids));
  const lines = children.flatMap((node) => {
    const edges = edgesOf(node).filter(({to}) => to.type !== 'final' || to === goal);
    const known = edges.filter(({to}) => ids.has(to));
    return known.map((edge) => (known.length > 1 ? labelledLine(edge, ids) : bareLine(edge, ids)));
  });
  const initial = (root.initial?.target ?? []).map((node) => `[*] --> ${ids.get(node)}`);
  const end = goal ? [`${ids.get(goal)} --> [*]`] : [];
  return [
    'stateDiagram-v2',
    '  direction LR',
    ...[...choices, ...initial, ...lines, ...end].map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** Ids of letters, digits and underscores, unique in the diagram, in document order. */
function idsOf(nodes: readonly ChartNode[]): Ids {
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
function block(node: ChartNode, ids: Ids): string[] {
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
  ];
}

function regions(blocks: readonly (readonly string[])[]): string[] {
  return blocks
    .filter(({length}) => length > 0)
    .flatMap((lines) => ['--', lines].flat())
    .slice(1);
}

function declaration(node: ChartNode, ids: Ids): string[] {
  const id = ids.get(node);
  const name = escapeText(node.path.at(-1) ?? node.id);
  const notes = notesOf(node);
  if (Object.keys(node.states).length > 0) {
    const label = [name, ...notes].join(' · ');
    return [`state "${label}" as ${id} {`, ...block(node, ids).map((line) => `  ${line}`), '}'];
  }
  if (isChoice(node)) return [choiceLine(node, ids)];
  const label = node.type === 'history' ? `${name} (history)` : name;
  return [`state "${label}" as ${id}`, ...notes.map((note) => `${id} : ${note}`)];
}

/** A diamond, which has no place for words: see `entryOf`. */
function choiceLine(node: ChartNode, ids: Ids): string {
  return `state ${ids.get(node)} <<choice>>`;
}

/** Ends have a border of their own instead of lines that all run to one point. */
function finalLines(nodes: readonly ChartNode[], ids: Ids): string[] {
  const ends = nodes.flatMap((node) => (node.type === 'final' ? [ids.get(node)] : []));
  if (ends.length === 0) return [];
  return ['classDef ended stroke-width:3px', `class ${ends.join(',')} ended`];
}

/** A stand-in for "wherever the parent stands", when an event leads from all of a parent's children to one of them. */
function anyState(node: ChartNode, ids: Ids): string[] {
  const leadsInside = transitionsOf(node).some(({target}) =>
    target?.some((to) => isInside(to, node)),
  );
  const notes = node.parent || node.type === 'parallel' ? [] : notesOf(node);
  if (!leadsInside && notes.length === 0) return [];
  const id = anyId(node, ids);
  return [`state "any state" as ${id}`, ...notes.map((note) => `${id} : ${note}`)];
}

function anyId(node: ChartNode, ids: Ids): string {
  return freeId(`any_of_${ids.get(node)}`, new Set(ids.values()));
}

/** In the order in which the machine names them; failures, which every state has, come last in a label. */
function edgesOf(node: ChartNode): Edge[] {
  const ways = transitionsOf(node)
    .toSorted((one, other) => Number(isFailure(one)) - Number(isFailure(other)))
    .flatMap((transition) =>
      (transition.target ?? []).map((to) => ({to, label: transitionLabel(transition, node)})),
    );
  return [...Map.groupBy(ways, ({to}) => to)].map(([to, list]) => ({
    from: node,
    to,
    labels: [...new Set(list.map(({label}) => label))],
  }));
}

/** Actions on the entry of a choice stand on the ways that lead to it. */
function entryOf(node: ChartNode): string {
  const names = isChoice(node) ? actionNames(node.entry) : [];
  return names.length === 0 ? '' : ` / ${names.join(', ')}`;
}

/** The state in whose block the transition stands; undefined for the outermost level's end. */
function blockOf({from, to}: Edge): ChartNode | undefined {
  const home = isInside(to, from) ? from : from.parent;
  return to.parent === home && home?.type !== 'parallel' ? home : undefined;
}

function isInside(node: ChartNode, ancestor: ChartNode): boolean {
  return node.parent !== undefined && (node.parent === ancestor || isInside(node.parent, ancestor));
}

function edgeLine(edge: Edge, ids: Ids): string {
  return `${labelledLine(edge, ids)}${entryOf(edge.to)}`;
}

function labelledLine(edge: Edge, ids: Ids): string {
  return `${bareLine(edge, ids)} : ${edge.labels.map(escapeText).join(' or ')}`;
}

function bareLine({from, to}: Edge, ids: Ids): string {
  const source = isInside(to, from) ? anyId(from, ids) : ids.get(from);
  return `${source} --> ${ids.get(to)}`;
}
