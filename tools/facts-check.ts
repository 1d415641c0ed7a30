/** Checks the definition of a tool: types do so in TypeScript, but a slip in JavaScript would remove a protection silently. */

import type {z} from 'zod';

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean} from '../machines/domain/nearest.ts';
import {argumentsIn} from '../machines/domain/program/program.ts';
import type {ToolFacts} from '../machines/domain/tool.ts';
import {jsonSchemaOf, unwrapped} from './json-schema.ts';

interface Checked extends ToolFacts {
  readonly name: string;
  readonly parameters: z.ZodType;
}

/** The allowed values of each member; undefined: anything. */
const members: Readonly<Record<string, readonly unknown[] | undefined>> = {
  name: undefined,
  description: undefined,
  describe: undefined,
  parameters: undefined,
  timeoutMs: undefined,
  run: undefined,
  preview: undefined,
  risk: ['low', 'high'],
  repeatability: ['repeatable', 'checkable', 'once'],
  reaches: ['nothing', 'workspace', 'network'],
  quotes: [true, false],
  cites: [true, false],
  reads: undefined,
  lists: undefined,
  opens: undefined,
  writes: undefined,
  puts: undefined,
  replaces: undefined,
  runs: undefined,
  program: undefined,
  spawns: undefined,
  summary: undefined,
  does: undefined,
};

/** Throws AppError `config` for a member that no tool has, or for a value that is not one of its values. */
export function checkMembers(tool: Pick<Checked, 'name'>): void {
  for (const [member, value] of Object.entries(tool)) {
    if (!Object.hasOwn(members, member)) {
      const near = didYouMean(member, Object.keys(members));
      throw faulty(tool, `has the unknown member "${member}"${near}`);
    }
    const allowed = members[member];
    if (value !== undefined && allowed && !allowed.includes(value)) {
      const words = allowed.map(shown).join(', ');
      throw faulty(tool, `has ${member}: ${shown(value)}, which is not one of ${words}`);
    }
  }
}

/** Throws AppError `config` for a fact that names no argument of the tool. Makes the schema. */
export function checkArgumentNames(tool: Checked): void {
  const known = argumentsOf(tool.parameters);
  if (!known) return;
  for (const [fact, names] of Object.entries(namesIn(tool))) {
    const wrong = [names]
      .flat()
      .find((name) => name !== undefined && !known.includes(name.split('.')[0] ?? ''));
    if (wrong === undefined) continue;
    const near = didYouMean(wrong, known);
    const hint = near === '' ? `; its arguments: ${known.join(', ')}` : near;
    throw faulty(tool, `has ${fact}: ${shown(wrong)}, which is not an argument of it${hint}`);
  }
}

function namesIn({reads, lists, opens, writes, puts, replaces, runs, program}: ToolFacts) {
  const code = {'runs.argument': runs?.argument, 'runs.folder': runs?.folder};
  const words = {
    'program.argv': program?.argv.flatMap(argumentsIn),
    'program.paths': program?.paths,
  };
  return {reads, lists, opens, writes, puts, replaces, ...code, ...words};
}

/** Undefined if the schema does not list them, such as that of a union or of a record. */
function argumentsOf(parameters: z.ZodType): readonly string[] | undefined {
  const {properties, additionalProperties = false} = jsonSchemaOf(parameters);
  const isOpen = additionalProperties !== false;
  const schema = unwrapped(parameters);
  const accepted = 'shape' in schema ? Object.keys(Object(schema.shape)) : [];
  return isOpen || typeof properties !== 'object' || properties === null
    ? undefined
    : [...Object.keys(properties), ...accepted];
}

function faulty({name}: Pick<Checked, 'name'>, problem: string): AppError {
  return new AppError('config', `the tool "${name}" ${problem}`);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
