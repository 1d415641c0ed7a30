/** Mutants of a statechart: each is one small change that a test of the chart should notice. */

import {type AnyStateMachine, createMachine, not} from 'xstate';

import {type ChartNode, guardText, nameOf, nodesOf} from '../../machines/testing/chart.ts';

/** The config of a machine, of a state, or of a transition. */
type Part = Record<string, unknown>;

export interface Mutant {
  /** Unique in its machine, and the same as long as the changed part of the chart is the same. */
  readonly name: string;
  /** The id of the changed state. */
  readonly state: string;
  /** Changes a copy of the config of the state. */
  readonly change: (state: Part) => void;
}

type Change = readonly [text: string, change: Mutant['change']];

/** Mutants with the same name are numbered. */
export function mutantsOf({root}: AnyStateMachine): readonly Mutant[] {
  const times = new Map<string, number>();
  return nodesOf(root).flatMap((node) =>
    [...stateChanges(node), ...transitionChanges(node)].map(([text, change]) => {
      const name = `${node.id}: ${text}`;
      const count = (times.get(name) ?? 0) + 1;
      times.set(name, count);
      return {name: count === 1 ? name : `${name} (${count})`, state: node.id, change};
    }),
  );
}

/** A chart that runs in a circle after a change fails after so many steps. */
const maxIterations = 10_000;

/** The machine with one change, and with the same implementations. */
export function mutated(machine: AnyStateMachine, {state, change}: Mutant): AnyStateMachine {
  const config = partOf(copyOf(machine.config));
  const path = nodesOf(machine.root).find(({id}) => id === state)?.path ?? [];
  change(path.reduce((part, key) => partOf(partOf(part['states'])[key]), config));
  config['options'] = {maxIterations, ...partOf(config['options'])};
  return createMachine(config, machine.implementations);
}

/** The parts of a machine that depend on its config. */
const parts = ['config', 'root', 'states', 'events', 'idMap', 'options'] as const;

/**
 * Puts the change into the machine itself, so that every chart that invokes it has the change too. Returns a function that
 * takes it out again. Copies that `provide` made before stay as they are.
 */
export function swapIn(machine: AnyStateMachine, mutant: Mutant): () => void {
  const before = partsOf(machine);
  Object.assign(machine, partsOf(mutated(machine, mutant)));
  return () => Object.assign(machine, before);
}

function partsOf(machine: AnyStateMachine): object {
  return Object.fromEntries(parts.map((part) => [part, Reflect.get(machine, part)]));
}

function stateChanges(node: ChartNode): readonly Change[] {
  const config = partOf(node.config);
  const dropped = (['entry', 'exit'] as const).flatMap((when) =>
    listOf(config[when]).map((action, at): Change => [
      `drop ${nameOf(action) ?? `action ${at + 1}`} at ${when}`,
      (state) => {
        state[when] = listOf(state[when]).filter((_, other) => other !== at);
      },
    ]),
  );
  const [initial] = node.type === 'compound' ? node.initial.target : [];
  const other = initial && otherThan(initial);
  const started: Change[] = other
    ? [[`start in ${other.key}`, (state) => (state['initial'] = other.key)]]
    : [];
  const isFinal = node.type === 'final' && isEndNoticed(node);
  const ended: Change[] = isFinal
    ? [['be an ordinary state, not a final one', (state) => (state['type'] = 'atomic')]]
    : [];
  const swapped = listOf(config['invoke']).flatMap((invoke, at): Change[] => {
    const {onDone, onError, id, src} = partOf(invoke);
    if (onDone === undefined && onError === undefined) return [];
    return [
      [
        `swap done and error of ${String(id ?? src)}`,
        (state) => {
          Object.assign(partOf(listOf(state['invoke'])[at]), {onDone: onError, onError: onDone});
        },
      ],
    ];
  });
  return [...dropped, ...started, ...ended, ...swapped];
}

/** Nothing depends on the end of a state without `onDone`, except at the root and in a parallel state. */
function isEndNoticed({parent}: ChartNode): boolean {
  if (!parent?.parent || parent.parent.type === 'parallel') return true;
  return parent.transitions.has(`xstate.done.state.${parent.id}`);
}

/** A list of transitions in the config of a state: of an event, a delay, or an end. */
interface Slot {
  readonly name: string;
  readonly holder: Part;
  readonly key: string;
}

function slotsOf(state: Part): readonly Slot[] {
  const invokes = listOf(state['invoke']).map(partOf);
  const within = (holder: Part, keys: readonly string[], prefix = ''): Slot[] =>
    keys
      .filter((key) => holder[key] !== undefined)
      .map((key) => ({name: `${prefix}${key}`, holder, key}));
  const [on, after] = [partOf(state['on']), partOf(state['after'])];
  return [
    ...within(on, Object.keys(on)),
    ...within(after, Object.keys(after), 'after '),
    ...within(state, ['always', 'onDone']),
    ...invokes.flatMap((invoke) =>
      within(invoke, ['onDone', 'onError', 'onSnapshot'], `${String(invoke['id'])} `),
    ),
  ];
}

/** Transitions after one without a guard are never taken, and are left out. */
function transitionChanges(node: ChartNode): readonly Change[] {
  return slotsOf(partOf(node.config)).flatMap(({name, holder, key}, slot) => {
    const transitions = listOf(holder[key]).map(transitionOf);
    const last = transitions.findIndex(({guard}) => guard === undefined);
    const live = last < 0 ? transitions : transitions.slice(0, last + 1);
    return live.flatMap((transition, at) =>
      changesOf(node, name, transition, (state, members) => {
        const found = slotsOf(state)[slot];
        if (!found) return;
        const list = listOf(found.holder[key]).map(transitionOf);
        found.holder[key] = list.flatMap((each, other) => {
          if (other !== at) return [each];
          return members === undefined ? [] : [{...each, ...members}];
        });
      }),
    );
  });
}

/** `edit` gives the transition other members, or removes it without any. */
function changesOf(
  node: ChartNode,
  name: string,
  {guard, target, actions}: Part,
  edit: (state: Part, members?: Part) => void,
): readonly Change[] {
  const goal = targetOf(node, target);
  const other = goal && otherThan(goal, node);
  const text = `${name}${guard === undefined ? '' : ` [${guardText(guard)}]`}${goal ? ` → ${goal.key}` : ''}`;
  const changes: Change[] = [[`drop ${text}`, (state) => edit(state)]];
  if (isGuard(guard)) {
    changes.push([`drop the guard of ${text}`, (state) => edit(state, {guard: undefined})]);
    changes.push([`negate the guard of ${text}`, (state) => edit(state, {guard: not(guard)})]);
  }
  if (other) {
    const elsewhere = {target: `#${other.id}`};
    changes.push([`retarget ${text} to ${other.key}`, (state) => edit(state, elsewhere)]);
  }
  if (actions !== undefined)
    changes.push([`drop the actions of ${text}`, (state) => edit(state, {actions: []})]);
  return changes;
}

function isGuard(guard: unknown): guard is Parameters<typeof not>[0] {
  return guard !== undefined;
}

/** A state that could be mistaken for another one: the next beside it, if possible of its type and not `source`. */
function otherThan(target: ChartNode, source?: ChartNode): ChartNode | undefined {
  const {parent, type} = target;
  if (!parent || parent.type === 'parallel' || type === 'history') return undefined;
  const all = Object.values(parent.states);
  const at = all.indexOf(target);
  const others = [...all.slice(at + 1), ...all.slice(0, at)].filter(
    (each) => each.type !== 'history',
  );
  const rank = (each: ChartNode): number => (each === source ? 2 : each.type === type ? 0 : 1);
  return others.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** The state that a target names: beside the source, within it, or by its id. */
function targetOf(source: ChartNode, target: unknown): ChartNode | undefined {
  if (typeof target !== 'string') return undefined;
  if (target.startsWith('#'))
    return nodesOf(source.machine.root).find(({id}) => id === target.slice(1));
  const [from, path] = target.startsWith('.')
    ? [source, target.slice(1)]
    : [source.parent ?? source, target];
  return path.split('.').reduce<ChartNode | undefined>((node, key) => node?.states[key], from);
}

function transitionOf(value: unknown): Part {
  return typeof value === 'object' && value !== null ? partOf(value) : {target: value};
}

/** The value itself when it has members, otherwise a part without any. */
function partOf(value: unknown): Part {
  return isPart(value) ? value : {};
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Plain objects and lists are copied; all else, such as functions, is the same in the copy. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPart(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
}
