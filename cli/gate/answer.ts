/** Answers the question of a server: with a value behind the command, with JSON, or field by field. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {typeText} from '../../machines/loop/input-question.ts';
import {readContent, readTyped} from '../../machines/server-input/server-input-check.ts';
import type {InputField, ServerQuestion} from '../../machines/server-input/server-input.ts';
import {oneLine} from '../render/text.ts';
import {type GateAnswer, type GatePrompter, isYes, unansweredGate} from './decide.ts';
import {gateTexts} from './texts.ts';

/** `rest`: the text behind the command. Resolves with undefined when the question must be asked again. Never rejects. */
export async function answerServer(
  rest: string,
  prompter: GatePrompter,
): Promise<GateAnswer | undefined> {
  const {input} = prompter.question;
  const texts = gateTexts(prompter.style);
  if (!input) return complain([texts.nothingToAnswer], prompter);
  const [field, ...others] = input.fields;
  if (rest === '') return field ? await askAll(input, prompter) : decided({});
  const given = objectIn(rest);
  if (given) return contentOf(input, given, prompter);
  if (!field) return complain([texts.noFields], prompter);
  if (others.length > 0) return complain([texts.severalFields], prompter);
  const reading = readTyped(field, rest);
  if (reading.ok) return contentOf(input, {[field.name]: reading.value}, prompter);
  return complain(reading.problems, prompter);
}

function complain(problems: readonly string[], {print, style}: GatePrompter): undefined {
  print(problems.map((problem) => style.yellow(oneLine(problem, 1000))));
}

function contentOf(
  {fields}: ServerQuestion,
  given: JsonObject,
  prompter: GatePrompter,
): GateAnswer | undefined {
  const reading = readContent(fields, given);
  return reading.ok ? decided(reading.value) : complain(reading.problems, prompter);
}

function decided(content: JsonObject): GateAnswer {
  return {kind: 'decided', decision: {decision: 'answer', content}};
}

/** Undefined: the text is not a JSON object. */
function objectIn(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The values are shown and confirmed before they are sent. */
async function askAll(
  input: ServerQuestion,
  prompter: GatePrompter,
): Promise<GateAnswer | undefined> {
  const asked = await askFrom(input.fields, {}, prompter);
  if (asked.kind !== 'values') return asked;
  const answer = contentOf(input, asked.values, prompter);
  if (answer?.kind !== 'decided' || answer.decision.decision !== 'answer') return answer;
  const {send} = gateTexts(prompter.style);
  prompter.print(valueLines(answer.decision.content));
  const line = await prompter.ask(send(oneLine(input.server, 80)));
  if (line.kind !== 'line') return unansweredGate(line);
  return isYes(line.text) ? answer : undefined;
}

const maxShown = 400;

function valueLines(content: JsonObject): string[] {
  return Object.entries(content).map(
    ([name, value]) => `  ${oneLine(name, 80)}: ${oneLine(JSON.stringify(value), maxShown)}`,
  );
}

type Values = {readonly kind: 'values'; readonly values: JsonObject};

async function askFrom(
  [field, ...rest]: readonly InputField[],
  values: JsonObject,
  prompter: GatePrompter,
): Promise<Values | GateAnswer> {
  if (!field) return {kind: 'values', values};
  prompter.print(fieldLines(field, prompter));
  const asked = await askField(field, prompter);
  if (asked.kind !== 'value') return asked;
  const {value} = asked;
  const added = value === undefined ? {} : {[field.name]: value};
  return await askFrom(rest, {...values, ...added}, prompter);
}

/** The title and the description are the server's words. */
function fieldLines(field: InputField, {style}: GatePrompter): string[] {
  const {name, required, title, description, choices = []} = field;
  const {requiredField, optionalField} = gateTexts(style);
  const said = [title, description].filter((text) => text !== undefined && text !== name);
  const kind = choices.length > 0 ? '' : `, ${typeText(field)}`;
  return [
    `${style.bold(oneLine(name, 80))} (${required ? requiredField : optionalField}${kind})`,
    ...said.map((text) => style.dim(`  > ${oneLine(text ?? '')}`)),
    ...choices.map(({value, title: words = value}, index) => {
      const shown = words === value ? value : `${value} (${words})`;
      return `  ${index + 1} ${oneLine(shown, 200)}`;
    }),
  ];
}

interface Value {
  readonly kind: 'value';
  /** Absent: left out. */
  readonly value?: Json;
}

/** An empty line takes the default, or leaves an optional field out. */
async function askField(field: InputField, prompter: GatePrompter): Promise<Value | GateAnswer> {
  const {name, required, default: preset} = field;
  const shown = preset === undefined ? '' : ` [${oneLine(JSON.stringify(preset), 80)}]`;
  const line = await prompter.ask(`${oneLine(name, 80)}${shown}: `);
  if (line.kind !== 'line') return unansweredGate(line);
  if (line.text.trim() === '' && (preset !== undefined || !required)) return {kind: 'value'};
  const reading = readTyped(field, line.text);
  const isGiven = line.text.trim() !== '';
  if (isGiven && reading.ok) return {kind: 'value', value: reading.value};
  const problems = isGiven && !reading.ok ? reading.problems : [gateTexts(prompter.style).needed];
  complain(problems, prompter);
  return await askField(field, prompter);
}
