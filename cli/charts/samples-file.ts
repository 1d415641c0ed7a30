/** A skeleton of samples for a machine: every event, every actor, and the input, typed by the machine. */

import type {AnyStateMachine} from 'xstate';

import {nodesOf} from '../../machines/testing/chart.ts';
import {kindOf, type LogicKind} from '../../machines/testing/world/kinds.ts';
import {eventTypesOf} from '../../machines/testing/world/tables.ts';

/** How the first line of such a file begins. */
export const samplesFileMark = '// Made by quorate paths --init-samples.';

const lines: Readonly<Record<LogicKind, string | undefined>> = {
  promise: '[undefined], // its outputs; also fails(new Error(…))',
  callback: '[], // sends({type: …}), fails(new Error(…))',
  observable: '[undefined], // next(value); undefined: it completes; fails(new Error(…))',
  'event observable':
    '[undefined], // sends({type: …}); undefined: it completes; fails(new Error(…))',
  transition: undefined,
  machine: undefined,
  custom: '[undefined], // its outputs; also fails, sends, next',
};

/** `module`: the specifier of the machine's module; `name`: its export. TypeScript, or JavaScript with types in a comment. */
export function samplesFileText(
  machine: AnyStateMachine,
  name: string,
  module: string,
  isTyped: boolean,
): string {
  const actors = actorsOf(machine).flatMap(([actor, kind]) => {
    const line = lines[kind];
    return line === undefined ? [] : `    ${keyText(actor)}: ${line}`;
  });
  const events = eventTypesOf(machine).map((type) => `    ${keyText(type)}: [{}],`);
  const type = `ExploreOptions<typeof import('${module}').${name}>`;
  return [
    '// Several inputs: inputs: [{…}, {…}]. An event: what it carries beside its type; []: it never comes. An actor that has no entry',
    '// does what the machine handles. Outcomes other than outputs: fails, sends and next of quorate/testing.',
    ...(isTyped
      ? ["import type {ExploreOptions} from 'quorate/testing';", '', 'export const samples = {']
      : ['', `/** @type {import('quorate/testing').${type}} */`, 'export const samples = {']),
    ...(typeof machine.config.context === 'function' ? ['  input: {},'] : []),
    ...group('events', events),
    ...group('outcomes', actors),
    isTyped ? `} satisfies ${type};` : '};',
    '',
  ].join('\n');
}

function group(name: string, members: readonly string[]): string[] {
  return members.length === 0 ? [] : [`  ${name}: {`, ...members, '  },'];
}

/** The actors that the machine invokes or has a name for, in the order of the chart. */
function actorsOf({root, implementations}: AnyStateMachine): [string, LogicKind][] {
  const known: Readonly<Record<string, unknown>> = implementations.actors;
  const invoked = nodesOf(root).flatMap(({invoke, config}) =>
    invoke.map(({src, id}, index): [string, unknown] => {
      if (typeof src === 'string' && !src.startsWith('xstate.')) return [src, known[src]];
      return [id, [config.invoke].flat()[index]?.src];
    }),
  );
  const all = new Map([...invoked, ...Object.entries(known)]);
  return [...all].map(([name, logic]) => [name, kindOf(logic)]);
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name).replaceAll(/^"|"$/g, "'");
}
