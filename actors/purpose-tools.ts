/** The tools that models are offered for a purpose, not for the world: plans, ballots, evaluations. */

import {z} from 'zod';

import {ballotSchema} from '../machines/domain/ballot.ts';
import {planSchema} from '../machines/domain/plan.ts';
import {evaluationSchema} from '../machines/forms/agent/verdict.ts';
import type {Toolbox} from '../tools/index.ts';
import {createMemo} from '../tools/memo.ts';
import type {OfferedTool} from './model/model.ts';

const purposeSchemas: Readonly<Record<string, z.ZodType>> = {
  cast_ballot: ballotSchema,
  create_plan: planSchema,
  evaluate_result: evaluationSchema,
};

/** Definitions by name, made once and sorted so that the prefix of requests stays the same. */
export function createOffers(
  toolbox: Toolbox,
): (names: readonly string[]) => Promise<readonly OfferedTool[]> {
  const remember = createMemo<readonly OfferedTool[]>();
  const find = async (names: readonly string[]): Promise<readonly OfferedTool[]> => {
    const found = await Promise.all(
      names.toSorted().map(async (name) => purposeTool(name) ?? (await toolbox.offered(name))),
    );
    return found.filter((tool) => tool !== undefined);
  };
  return async (names) => await remember(names.join(' '), async () => await find(names));
}

function purposeTool(name: string): OfferedTool | undefined {
  const schema = purposeSchemas[name];
  if (!schema) return undefined;
  const {$schema: _, ...json} = z.toJSONSchema(schema, {io: 'input'});
  return {name, description: schema.description ?? name, schema: json};
}
