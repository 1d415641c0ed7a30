/** Makes the map of the system: invocations from the charts, descriptions from their files, messages from runs. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import type {MapMachine, MapMessage, SystemMap} from '../../diagrams/map/system-map.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {machines} from '../../machines/index.ts';
import {ports, type PortTable} from '../../machines/port-natures.ts';
import {statesOf, transitionNames} from '../../machines/testing/chart.ts';
import {type Child, type ObservedMessages, messagesIn, type Sent} from './messages.ts';
import {scenarios} from './scenarios.ts';

const folder = join(import.meta.dirname, '../../machines');
const table: PortTable = ports;

/** The machines among which an actor is looked up at its start. */
const lookedUp: Readonly<Record<string, readonly string[]>> = {
  form: interactionForms,
  interaction: ['interaction'],
  planning: ['planning', 'ensemble'],
};

/** Actors by which a machine communicates with another one that is neither its parent nor its child, with that one's names. */
const envoys: Readonly<Record<string, string>> = {
  adviceWatch: 'interaction',
  hold: 'lock',
  modeWatch: 'mode',
  spawnBelow: 'interaction',
};

/** Other actors without a chart. */
const shared = ['mode', 'record'];
const sharedRoom = 'tree';

/** Throws for an actor that is unknown here. */
export function systemMap(): SystemMap {
  const observed = messagesIn(scenarios);
  return {
    machines: machines.map(mapMachine),
    actors: shared.map((id) => ({id, room: sharedRoom})),
    ports: Object.entries(table).map(([name, {settledBy}]) => ({name, settledBy})),
    messages: mapMessages(observed),
  };
}

/** A line for each machine and each message. */
export function mapText(map: SystemMap): string {
  const parts = Object.entries(map).map(([key, list]: [string, readonly object[]]) => {
    const lines = list.map((each) => `    ${JSON.stringify(each)}`);
    return `  ${JSON.stringify(key)}: [\n${lines.join(',\n')}\n  ]`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

function mapMachine(machine: AnyStateMachine): MapMachine {
  const {file, text} = sourceOf(machine);
  const names = Object.entries(machine.implementations.actors);
  return {
    id: machine.id,
    room: roomOf(file),
    does: firstSentence(text),
    // The machine itself is not one of its states.
    states: statesOf(machine).length - 1,
    transitions: transitionNames(machine).length,
    invokes: names.flatMap(([name, logic]) => chartsOf(name, logic)),
    ports: names.map(([name]) => name).filter((name) => Object.hasOwn(table, name)),
  };
}

function sourceOf({id}: AnyStateMachine): {readonly file: string; readonly text: string} {
  const files = globSync(`**/${id}.ts`, {cwd: folder});
  const sources = files.map((file) => ({file, text: readFileSync(join(folder, file), 'utf8')}));
  const source = sources.find(({text}) => text.includes('.createMachine({'));
  if (!source) throw new Error(`the machine ${id} has no file of its name`);
  return source;
}

/** The folder in `machines/`, or the form. */
function roomOf(file: string): string {
  const [first = '', second = '', ...more] = file.split('/');
  if (second === '') return '';
  return first === 'forms' && more.length > 0 ? second : first;
}

/** From the comment at the top. */
function firstSentence(source: string): string {
  const comment = /^\/\*\*(.*?)\*\//s.exec(source)?.[1] ?? '';
  const text = comment.replaceAll(/\s*\n \*\s?/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

function chartsOf(name: string, logic: unknown): readonly string[] {
  const chart = machines.find((machine) => machine === logic);
  if (chart) return [chart.id];
  if (shared.includes(name)) return [name];
  const isKnown = Object.hasOwn(table, name) || Object.hasOwn(envoys, name);
  if (!isKnown && !Object.hasOwn(lookedUp, name)) throw new Error(`the actor ${name} is unknown`);
  return lookedUp[name] ?? [];
}

/**
 * By sender and receiver, in the order of the registry. What all machines report to the record is left out, and what a chart
 * receives from outside when it is played without those above it.
 */
function mapMessages({messages, children}: ObservedMessages): MapMessage[] {
  const order = ['outside', ...machines.map(({id}) => id), ...shared];
  const sent = messages
    .flatMap((message) => inTree(message, children))
    .filter(({from, to}) => from !== to && order.includes(from) && order.includes(to))
    .filter(({from, to}) => to !== 'record' && (from !== 'outside' || to === 'tree'));
  return order.flatMap((from) =>
    order.flatMap((to) => {
      const types = sent.filter((each) => each.from === from && each.to === to);
      return types.length === 0 ? [] : [{from, to, types: sorted(types.map(({type}) => type))}];
    }),
  );
}

/** The message as it is in a tree, without envoys. A chart that is played alone is its own interaction. */
function inTree({from, to, type}: Sent, children: readonly Child[]): Sent[] {
  const envoyOf = envoys[from];
  if (envoyOf === to) {
    const owners = children.filter(({child}) => child === from);
    return owners.map(({parent}) => ({from: parent, to, type}));
  }
  const isForm = interactionForms.some((form) => form === to);
  const isOwn = from === to && type === 'trigger.fired';
  const above = from === 'outside' && isForm ? 'interaction' : from;
  return [{from: envoyOf ?? above, to: isOwn ? 'interaction' : to, type}];
}

function sorted(types: readonly string[]): string[] {
  return [...new Set(types)].toSorted();
}
