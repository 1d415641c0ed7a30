/** Places with custom tools, and the words that their programs get. */

import {join} from 'node:path';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {createCustomTool} from '../../../tools/custom/custom-tool.ts';
import type {CustomTool} from '../../../tools/custom/definition.ts';
import {createSandbox, createToolbox} from '../../../tools/index.ts';
import type {RunCommandOptions} from '../../../tools/run/perform.ts';
import {createPlace, type Place, textOf} from '../place.ts';

export interface CustomPlaceOptions extends Partial<RunCommandOptions> {
  readonly variables?: Readonly<Record<string, string>>;
  readonly parent?: string;
}

/** A tool with the name `tool`. */
export function createCustomPlace(
  definition: Omit<CustomTool, 'name' | 'description'>,
  {variables = {}, parent, ...options}: CustomPlaceOptions = {},
): Place {
  const sandbox = createSandbox({mode: 'off'});
  const tool = {name: 'tool', description: 'A tool.', ...definition};
  const custom = createCustomTool(tool, {sandbox, variables, ...options});
  return createPlace(createToolbox([custom]), parent);
}

/** The beginning of a command whose program prints its further words as JSON. */
export const showsWords = [process.execPath, join(import.meta.dirname, 'show-words.ts')] as const;

/** The words that the program got; the verdict of a call that was refused. */
export async function wordsOf(place: Place, args: JsonObject): Promise<unknown> {
  return wordsIn(await place.run('tool', args));
}

export function wordsIn(outcome: ToolOutcome): unknown {
  return outcome.kind === 'succeeded' ? JSON.parse(textOf(outcome)) : outcome;
}
