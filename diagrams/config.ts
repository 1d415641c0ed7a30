/** A machine as data: its configuration, with names in place of functions and actors. */

import type {AnyStateMachine} from 'xstate';

import {isJsonObject, type Json, type JsonObject} from '../machines/domain/json.ts';
import {guardText} from '../machines/testing/chart.ts';

/** XState's `createMachine` turns it into a machine with the same states and transitions. */
export function configOf({config}: AnyStateMachine): JsonObject {
  const data = dataOf({...config, types: undefined}, []);
  return isJsonObject(data) ? data : {};
}

/** A TypeScript module that exports `machine`, for XState's visual editor. */
export function toCode(machine: AnyStateMachine): string {
  const text = JSON.stringify(configOf(machine), null, 2).replaceAll(
    /[\u007f-\u009f\p{Cf}]/gu,
    escaped,
  );
  return `import {createMachine} from 'xstate';\n\nexport const machine = createMachine(${text});\n`;
}

/** Invisible characters could hide what the code says. */
function escaped(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/** Members that are computed if they are functions: they have no name. */
const computed: ReadonlySet<string> = new Set(['context', 'input', 'output', 'params']);

/** Undefined for a value that is not data, or that contains itself. */
function dataOf(value: unknown, above: readonly unknown[], key = ''): Json | undefined {
  if (typeof value === 'function') return functionName(value, key);
  if (isScalar(value)) return value;
  if (typeof value !== 'object' || value === null || above.includes(value)) return undefined;
  const within = [...above, value];
  return Array.isArray(value)
    ? value.flatMap((one) => dataOf(one, within, key) ?? [])
    : objectOf(value, within);
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || /^(?:string|number|boolean)$/.test(typeof value);
}

function objectOf(value: object, within: readonly unknown[]): Json {
  const isLogic = 'transition' in value && typeof value.transition === 'function';
  if (isLogic) return 'inline';
  const members = Object.entries(value).flatMap(([name, member]) => {
    const data = dataOf(member, within, name);
    return data === undefined ? [] : [[name, data] as const];
  });
  return Object.fromEntries(members);
}

/** Of an action of XState its kind, such as `assign`. */
function functionName(value: Function, key: string): string | undefined {
  if (computed.has(key)) return undefined;
  if (key === 'guard') return guardText(value);
  const name = 'type' in value ? String(value.type).replace('xstate.', '') : value.name;
  return name === '' ? 'inline' : name;
}
