/**
 * Draws any machine as a Mermaid state diagram.
 *
 * Declarations come first, block by block. A transition is in a block only if both its ends are children of that block,
 * because Mermaid moves a state into the block in which a transition mentions it. All others follow at the outermost level.
 */

import type {AnyStateMachine} from 'xstate';

import {type ChartNode, nodesOf} from '../machines/testing/chart.ts';
import {
  actionNames,
  type Edge,
  edgesOf,
  isChoice,
  isInside,
  type Note,
  notesOf,
  transitionLabel,
} from './label.ts';

type Ids = ReadonlyMap<ChartNode, string>;

/** Characters that are syntax in Mermaid. In texts they are escaped, such as `#35;`. */
const special = /[:;#%"<>{}\\`\p{Cc}\p{Cf}]/gu;

function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(special, (char) => `#${char.codePointAt(0)};`);
}

/** A YAML string. */
function titleText(title: string): string {
  return JSON.stringify(title).replaceAll(
    /[\u007f-\u009f\p{Cf}]/gu,
    (char) => String.raw`\U${char.codePointAt(0)?.toString(16).padStart(8, '0')}`,
  );
}

/** Words that Mermaid reserves. */
const reserved = ['root', 'state', 'note', 'end', 'class', 'classdef', 'style', 'direction', 'as'];

/** The machine as text in Mermaid's stateDiagram-v2, ending with a newline. The same machine gives the same text. `active`: ids of states. */
export function toMermaid(
  machine: AnyStateMachine,
  active: ReadonlySet<string> = new Set(),
): string {
  const nodes = nodesOf(machine.root);
  const ids = idsOf(nodes);
  const far = nodes.flatMap(edgesOf).filter((edge) => blockOf(edge) === undefined);
  const parallel = machine.root.type === 'parallel';
  const body = parallel ? declaration(machine.root, ids) : block(machine.root, ids);
  const lines = [
    ...body,
    ...far.map((edge) => edgeLine(edge, ids)),
    ...finalLines(nodes, ids),
    ...activeLines(nodes, ids, active),
  ];
  return [
    '---',
    `title: ${titleText(machine.id)}`,
    '---',
    'stateDiagram-v2',
    ...lines.map((line) => `  ${line}`),
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

/** The lines in the block of a compound or parallel state, or at the outermost level for the machine itself. */
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
  const notes = notesOf(node).map(noteText);
  if (Object.keys(node.states).length > 0) {
    const label = [name, ...notes].join(' · ');
    return [`state "${label}" as ${id} {`, ...block(node, ids).map((line) => `  ${line}`), '}'];
  }
  if (isChoice(node)) return [choiceLine(node, ids)];
  const label = node.type === 'history' ? `${name} (history)` : name;
  return [`state "${label}" as ${id}`, ...notes.map((note) => `${id} : ${note}`)];
}

/** A diamond, which has no label: see `entryOf`. */
function choiceLine(node: ChartNode, ids: Ids): string {
  return `state ${ids.get(node)} <<choice>>`;
}

/** Final states have a thick border. Arrows to `[*]` would all run to one point. */
function finalLines(nodes: readonly ChartNode[], ids: Ids): string[] {
  const ends = nodes.flatMap((node) => (node.type === 'final' ? [ids.get(node)] : []));
  if (ends.length === 0) return [];
  return ['classDef ended stroke-width:3px', `class ${ends.join(',')} ended`];
}

/** Mermaid takes no class for a state with children. */
function activeLines(nodes: readonly ChartNode[], ids: Ids, active: ReadonlySet<string>): string[] {
  const leaves = nodes.filter(({id, states}) => active.has(id) && Object.keys(states).length === 0);
  if (leaves.length === 0) return [];
  const names = leaves.map((node) => ids.get(node)).join(',');
  return ['classDef active stroke-width:4px,font-weight:bold', `class ${names} active`];
}

/** The node "any state": the source of a parent's transitions to its children. For the machine, it also has its notes. */
function anyState(node: ChartNode, ids: Ids): string[] {
  const notes = node.parent || node.type === 'parallel' ? [] : notesOf(node).map(noteText);
  const leadsInside = edgesOf(node).some(({to}) => isInside(to, node));
  if (!leadsInside && notes.length === 0) return [];
  const id = anyId(node, ids);
  return [`state "any state" as ${id}`, ...notes.map((note) => `${id} : ${note}`)];
}

function anyId(node: ChartNode, ids: Ids): string {
  return freeId(`any_of_${ids.get(node)}`, new Set(ids.values()));
}

function noteText({kind, text}: Note): string {
  const words = {tag: `‹${text}›`, actor: `⚙ ${text}`, action: text, event: text};
  return escapeText(words[kind]);
}

/** The entry actions of a choice, for the labels of the transitions that lead to it. */
function entryOf(node: ChartNode): string {
  const names = isChoice(node) ? actionNames(node.entry) : [];
  return names.length === 0 ? '' : ` / ${names.join(', ')}`;
}

/** The state whose block contains the transition. Undefined: the end of the outermost level. */
function blockOf({from, to}: Edge): ChartNode | undefined {
  const home = isInside(to, from) ? from : from.parent;
  return to.parent === home && home?.type !== 'parallel' ? home : undefined;
}

function edgeLine({from, to, transitions}: Edge, ids: Ids): string {
  const source = isInside(to, from) ? anyId(from, ids) : ids.get(from);
  const labels = new Set(transitions.map((each) => transitionLabel(each, from)));
  const text = [...labels].map(escapeText).join(' or ');
  return `${source} --> ${ids.get(to)} : ${text}${entryOf(to)}`;
}
