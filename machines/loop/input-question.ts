/** The gate's question for a tool whose server asks the person something. The server's words are quoted. */

import {hashOf} from '../domain/digest.ts';
import type {HumanQuestion} from '../domain/human.ts';
import {asJson} from '../domain/json.ts';
import {callHash} from '../domain/tool.ts';
import type {ToolCall} from '../prompts/transcript.ts';
import {
  type InputChoice,
  type InputField,
  maxServerQuestions,
  type ServerQuestion,
} from '../server-input/server-input.ts';
import type {ActionBrief} from './action.ts';

interface Asking {
  readonly brief: ActionBrief;
  readonly question?: ServerQuestion;
}

/** Throws Error without a question: a bug of the chart. */
export function inputQuestion(
  {name, args}: Pick<ToolCall, 'name' | 'args'>,
  {brief, question: input}: Asking,
): HumanQuestion {
  if (!input) throw new Error('the tool has asked nothing');
  return {
    kind: 'server-input',
    request: brief.request,
    reason: `the MCP server ${input.server} asks you something during ${name}`,
    preview: inputText(input),
    proposalHash: hashOf({call: callHash(name, args), question: asJson(input)}),
    history: [],
    input,
    allowed: ['answer', 'reject'],
  };
}

/** For the model. */
export function tooManyQuestions(server: string): string {
  return `The MCP server ${server} asked the person more than ${maxServerQuestions} questions in one call. The call was ended; it may have had an effect or not.`;
}

/** The question as text: the server's words, the fields, and a caution. */
export function inputText({server, message, fields}: ServerQuestion): string {
  return [
    `The MCP server ${server} asks, in its own words:`,
    ...message.split('\n').map((line) => `> ${line}`),
    ...(fields.length === 0
      ? ['It asks for no values, only whether it may continue.']
      : ['It asks for:', ...fields.flatMap(fieldLines)]),
    `The answer is sent to ${server} and kept in the record. Give no password and no key: a server must not ask for one.`,
  ].join('\n');
}

function fieldLines(field: InputField): string[] {
  const {name, required, title, description, default: preset} = field;
  const need = required ? 'required' : 'optional';
  const given = preset === undefined ? '' : `; default ${JSON.stringify(preset)}`;
  const words = [title, description].filter((text) => text !== undefined && text !== name);
  return [`- ${name} (${need}): ${typeText(field)}${given}`, ...words.map((text) => `  > ${text}`)];
}

/** The values that a field takes, in a clause. */
export function typeText({type, format, min, max, choices = []}: InputField): string {
  const bounds = boundsText(min, max);
  if (type === 'boolean') return 'true or false';
  if (type === 'choice') return `one of ${choices.map(choiceText).join(', ')}`;
  if (type === 'choices') return `any of ${choices.map(choiceText).join(', ')}${bounds('choices')}`;
  if (type === 'text') return `${format ?? 'text'}${bounds('characters')}`;
  return `${type === 'integer' ? 'whole number' : 'number'}${bounds('')}`;
}

function boundsText(min?: number, max?: number): (unit: string) => string {
  const parts = [
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ];
  return (unit) => (parts.length === 0 ? '' : `, ${parts.join(', ')} ${unit}`.trimEnd());
}

function choiceText({value, title}: InputChoice): string {
  const name = JSON.stringify(value);
  return title === undefined || title === value ? name : `${name} (${title})`;
}
