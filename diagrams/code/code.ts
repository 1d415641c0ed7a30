/** A machine as code that XState's visual editor imports. */

import type {AnyStateMachine} from 'xstate';

import type {Json} from '../../machines/domain/json.ts';
import {configOf} from './config.ts';

/** A TypeScript module that exports `machine`: the structure, with names instead of implementations. */
export function toCode(machine: AnyStateMachine): string {
  return `import {createMachine} from 'xstate';\n\nexport const machine = createMachine(${literal(configOf(machine))});\n`;
}

const width = 90;

/** One line if it fits. */
function literal(value: Json, indent = ''): string {
  const flat = inOneLine(value);
  if (indent.length + flat.length <= width || typeof value !== 'object' || value === null) {
    return flat;
  }
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((part: Json) => literal(part, inner))
    : Object.entries(value).map(
        ([key, part]: [string, Json]) => `${keyOf(key)}: ${literal(part, inner)}`,
      );
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

function inOneLine(value: Json): string {
  if (typeof value === 'string') return codeString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  const parts = Object.entries(value).map(
    ([key, part]: [string, Json]) => `${keyOf(key)}: ${inOneLine(part)}`,
  );
  return `{${parts.join(', ')}}`;
}

function keyOf(key: string): string {
  // A plain key `__proto__` would set the object's prototype.
  if (key === '__proto__') return `['${key}']`;
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,8})$/.test(key) ? key : codeString(key);
}

/** Invisible characters are written as escapes. */
function codeString(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(/[\u007f-\u009f\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
  return `'${inner}'`;
}
