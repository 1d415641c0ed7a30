/** The interactions of a tree as data, computed from the facts about them, and the limits of spawning. */

import {type InteractionForm, isSpawnable, spawnableForms} from '../domain/interaction-form.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import {injectionOf} from '../domain/interaction-result.ts';
import type {FormOutput, InteractionEnd} from '../domain/result.ts';
import type {RecordedDialogue} from '../facts/fact.ts';
import type {SpawnError, Spawner} from './form-event.ts';
import {rootIdOf} from './path.ts';

/** The root is at depth 0. */
export const maxDepth = 3;

export interface InteractionNode {
  /** `PARENT.N` for a child. */
  readonly id: string;
  readonly form: InteractionForm;
  /** Absent for a root. */
  readonly parent?: string;
  readonly depth: number;
  readonly contextMode: ContextMode;
  readonly request: string;
  /** The spawner; absent for a root. */
  readonly by?: Spawner;
  /** Absent while it is active, and for a root. */
  readonly result?: FormOutput;
}

type Root = Pick<InteractionNode, 'id' | 'form' | 'contextMode' | 'request'>;

/** All interactions: the root first, the others in the order in which they were spawned. */
export function interactionsIn(
  {id, form, contextMode, request}: Root,
  dialogue: readonly RecordedDialogue[],
): readonly InteractionNode[] {
  const nodes = new Map<string, InteractionNode>([
    [id, {id, form, contextMode, request, depth: 0}],
  ]);
  for (const fact of dialogue) {
    if (fact.type === 'interaction.spawned') nodes.set(fact.child, nodeOf(fact));
    if (fact.type === 'interaction.settled' && fact.child !== undefined) {
      const node = nodes.get(fact.child);
      if (node) nodes.set(fact.child, {...node, result: fact.detail.result});
    }
  }
  return [...nodes.values()];
}

function nodeOf(fact: Extract<RecordedDialogue, {type: 'interaction.spawned'}>): InteractionNode {
  const {child: id, form, parent, depth, contextMode, request, by} = fact;
  return {id, form, parent, depth, contextMode, request, by};
}

type Nodes = readonly InteractionNode[];

export function getInteraction(nodes: Nodes, id: string): InteractionNode | undefined {
  return nodes.find((node) => node.id === id);
}

export function parentOf(nodes: Nodes, id: string): InteractionNode | undefined {
  const parent = getInteraction(nodes, id)?.parent;
  return parent === undefined ? undefined : getInteraction(nodes, parent);
}

export function childrenOf(nodes: Nodes, id: string): Nodes {
  return nodes.filter(({parent}) => parent === id);
}

/** Undefined when there is no such interaction. */
export function depthOf(nodes: Nodes, id: string): number | undefined {
  return getInteraction(nodes, id)?.depth;
}

/** The interaction as a member of a result. */
export function interactionEnd({
  id,
  form,
  parent = '',
  depth,
  contextMode,
  by,
  result,
}: InteractionNode) {
  const text = result && injectionOf(form, result);
  return {
    id,
    form,
    parent,
    depth,
    contextMode,
    by: by ?? 'person',
    status: result?.status ?? 'active',
    summary: result?.summary ?? '',
    ...(text === undefined ? {} : {text}),
  } satisfies InteractionEnd;
}

/** Why no interaction of this form can be spawned below the one of this id, or undefined when it can. */
export function spawnFault(
  nodes: Nodes,
  parent: string,
  form: InteractionForm,
): SpawnError | undefined {
  const node = getInteraction(nodes, parent);
  if (!node) return parentNotFound(parent);
  if (node.result) return parentSettled(parent);
  return spawnFaultAt(node, form);
}

/** Like {@link spawnFault}, for an active interaction. */
export function spawnFaultAt(
  {id, depth}: Pick<InteractionNode, 'id' | 'depth'>,
  form: InteractionForm,
): SpawnError | undefined {
  if (!isSpawnable(form)) {
    const forms = spawnableForms.join(', ');
    const message = `no ${form} is spawned below another interaction; there are ${forms}`;
    return {code: 'formNotSpawnable', message};
  }
  if (depth < maxDepth) return undefined;
  const message = `${nameOf(id)} is at depth ${depth}, and interactions are nested to depth ${maxDepth} at most`;
  return {code: 'maxDepthExceeded', message};
}

export function parentNotFound(parent: string): SpawnError {
  return {
    code: 'parentNotFound',
    message: `there is no interaction ${numbersIn(parent) || parent}`,
  };
}

export function parentSettled(parent: string): SpawnError {
  return {code: 'parentSettled', message: `${nameOf(parent)} has ended`};
}

/** As a person knows it: the name of the root differs inside of the tree. */
function nameOf(id: string): string {
  const numbers = numbersIn(id);
  return numbers === '' ? 'the root interaction' : `the interaction ${numbers}`;
}

function numbersIn(id: string): string {
  return id.slice(rootIdOf(id).length + 1);
}
