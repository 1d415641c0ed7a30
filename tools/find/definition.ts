/** Definitions of tools as texts: their cost in tokens, and their lines in lists of tools. */

import {isJsonObject} from '../../machines/domain/json.ts';
import {estimateTokens, lineOf} from '../../machines/domain/text-limits.ts';
import {escapeLine} from '../escape.ts';
import type {Offered} from '../toolbox.ts';

const maxArguments = 12;
/** In bytes. */
const maxArgumentName = 60;

const measured = new WeakMap<Offered, number>();

/** Estimated tokens of a definition as a request contains it. */
export function tokensOf(tool: Offered): number {
  const known = measured.get(tool);
  if (known !== undefined) return known;
  const {name, description, schema} = tool;
  const tokens = estimateTokens(`${name}${description}${JSON.stringify(schema)}`);
  measured.set(tool, tokens);
  return tokens;
}

export function sumOfTokens(tools: readonly Offered[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
}

/** The first sentence of the description, in quotation marks: it may be the words of others. `max`: in bytes. */
export function summaryOf({description}: Offered, max: number): string {
  const [sentence = ''] = /^[^\n]*?[.!?。](?=\s|$)|^[^\n]*/.exec(description.trim()) ?? [];
  return JSON.stringify(lineOf(escapeLine(sentence), max));
}

/** `name(argument, optional?)`. */
export function signatureOf({name, schema: {properties, required}}: Offered): string {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const shown = names
    .toSorted((one, other) => Number(needed.includes(other)) - Number(needed.includes(one)))
    .slice(0, maxArguments)
    .map((each) => `${argumentName(each)}${needed.includes(each) ? '' : '?'}`);
  return `${name}(${[...shown, ...(names.length > maxArguments ? ['…'] : [])].join(', ')})`;
}

function argumentName(name: string): string {
  return /^[\w$.-]+$/.test(name)
    ? lineOf(name, maxArgumentName)
    : JSON.stringify(lineOf(escapeLine(name), maxArgumentName));
}
