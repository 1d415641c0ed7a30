/** Definitions of the tools that models have for a purpose: answers to questions, and actions of interviews. */

import {isJsonObject} from '../../machines/domain/json.ts';
import {agentTools} from '../../machines/forms/interview/agents/agent-tools.ts';
import {questionNames, questions, toolOf} from '../../machines/questions/questions.ts';
import {jsonSchemaOf} from '../../tools/json-schema.ts';
import type {OfferedTool} from '../model/model.ts';

/** Leaves arguments out of the definition of a tool, at any depth. */
export function withoutArguments(tool: OfferedTool, names: readonly string[]): OfferedTool {
  const text = JSON.stringify(tool.schema, (key, value: unknown) =>
    key === 'properties' && isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
      : value,
  );
  const schema: unknown = JSON.parse(text);
  return isJsonObject(schema) ? {...tool, schema} : tool;
}

export function purposeTool(name: string): OfferedTool | undefined {
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
