/** Writes the results of mutation testing, or the list of mutants, to stdout. */

import type {Parsed} from '../../line/command.ts';
import {styleFor} from '../../render/style.ts';
import {mutantListLines, mutantsLines} from '../../render/tables/mutants.ts';
import {safeJson} from '../../render/text.ts';
import {pageWidthOf, type Terminal, write} from '../../terminal.ts';
import {type MutationResult, mutationData} from './result.ts';

type Listed = Pick<MutationResult, 'machine' | 'mutants' | 'excluded'>;

export async function listMutants(
  listed: Listed,
  {output}: Parsed,
  terminal: Terminal,
): Promise<void> {
  const result = {...listed, command: undefined, tried: [], ms: 0};
  await writeOut(result, mutantListLines, output, terminal);
}

export async function reportMutants(
  result: MutationResult,
  {output}: Parsed,
  terminal: Terminal,
): Promise<void> {
  await writeOut(result, mutantsLines, output, terminal);
}

async function writeOut(
  result: MutationResult,
  lines: typeof mutantsLines,
  output: Parsed['output'],
  {stdout, env, language}: Terminal,
): Promise<void> {
  const text =
    output === 'text'
      ? lines(result, {style: styleFor(stdout, {env, language}), width: pageWidthOf(stdout)}).join(
          '\n',
        )
      : safeJson(mutationData(result), output === 'json' ? 2 : undefined);
  await write(stdout, `${text}\n`);
}
