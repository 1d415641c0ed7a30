/** Definitions of the tools that models are offered: answers to questions, actions of interviews, and tools of the toolbox. */

import type {ModelRequest} from '../../machines/domain/model.ts';
import {agentTools} from '../../machines/forms/interview/agents/agent-tools.ts';
import {questionNames, questions, toolOf} from '../../machines/questions/questions.ts';
import type {Toolbox} from '../../tools/index.ts';
import {jsonSchemaOf} from '../../tools/json-schema.ts';
import {createMemo} from '../../tools/memo.ts';
import type {OfferedTool} from '../model/model.ts';

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

/** Appends the descriptions and argument schemas of the tools to the system text of the request. */
export function withDescriptions(
  request: ModelRequest,
  tools: readonly OfferedTool[],
): ModelRequest {
  if (tools.length === 0) return request;
  const lines = tools.map(
    ({name, description, schema}) =>
      `${name}: ${description}\nArguments: ${JSON.stringify(schema)}`,
  );
  return {...request, system: [request.system, 'The tools:', ...lines].join('\n\n')};
}

function purposeTool(name: string): OfferedTool | undefined {
  const question = questionNames.find((each) => each === name);
  const schema = question ? questions[question].schema : agentTools[name];
  if (!schema) return undefined;
  return {
    name: question ? toolOf(question) : name,
    description: schema.description ?? name,
    get schema() {
      return jsonSchemaOf(schema);
    },
  };
}
