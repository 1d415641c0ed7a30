/** Reads the questions of servers: flat forms within limits, safe to show. Everything else is refused. */

import {hashOf} from '../../../machines/domain/digest.ts';
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../machines/domain/json.ts';
import {valueProblem} from '../../../machines/server-input/server-input-check.ts';
import {
  type InputChoice,
  type InputField,
  inputFormats,
  type ServerQuestion,
} from '../../../machines/server-input/server-input.ts';
import {escapeForTerminal, escapeLine, firstUnsafe} from '../../escape.ts';
import {ServerFault} from '../server.ts';

/** In UTF-16 units. The rest of a message is cut, with a note. */
const maxMessage = 4_000;
const maxWords = 500;
const maxName = 200;
const maxFields = 30;
const maxChoices = 300;
/** Of the question as it is recorded, in UTF-16 units of its JSON. */
const maxQuestion = 64 * 1024;

/** `params`: of `elicitation/create`. Throws ServerFault `bad_question` with the reason. */
export function readQuestion(server: string, params: unknown): ServerQuestion {
  if (!isJsonObject(params)) throw refused('it is not an object');
  const {mode = 'form', message, requestedSchema: schema} = params;
  if (mode !== 'form') throw refused('it asks to open a URL, which is not supported');
  if (typeof message !== 'string' || !isJsonObject(schema)) throw refused('it is not a form');
  const question = {
    server: escapeLine(server),
    message: words(message, maxMessage, escapeForTerminal),
    fields: fieldsIn(schema),
    digest: hashOf({message, schema}),
  };
  if (JSON.stringify(question).length > maxQuestion) throw refused('its form is too large');
  return question;
}

function refused(why: string): ServerFault {
  return new ServerFault('bad_question', why);
}

function words(text: string, max: number, escape: (text: string) => string): string {
  const shown = escape(text.slice(0, max).toWellFormed());
  const more = text.length - max;
  return more > 0 ? `${shown} [${more} more characters are not shown]` : shown;
}

function fieldsIn({properties = {}, required = []}: JsonObject): InputField[] {
  if (!isJsonObject(properties) || !isJsonArray(required)) throw refused('its form is not valid');
  const all = Object.entries(properties);
  if (all.length > maxFields) {
    throw refused(`its form has ${all.length} fields; at most ${maxFields} are shown`);
  }
  const isKnown = required.every(
    (name) => typeof name === 'string' && Object.hasOwn(properties, name),
  );
  if (!isKnown) throw refused('its form requires a field that it does not have');
  return all.map(([name, schema]) => {
    if (!isPlain(name)) throw refused("the name of a field is too long or can't be shown");
    if (!isJsonObject(schema)) throw refused(`its field ${name} is not valid`);
    return fieldOf(name, schema, required.includes(name));
  });
}

/** A name or a value that goes back to the server as it is, so it can't be escaped. */
function isPlain(text: string): boolean {
  return text.length <= maxName && firstUnsafe(text) === undefined;
}

function fieldOf(name: string, schema: JsonObject, required: boolean): InputField {
  const {title, description, default: preset} = schema;
  const field: InputField = {
    name,
    required,
    ...typed(name, schema),
    ...(typeof title === 'string' ? {title: words(title, maxWords, escapeLine)} : {}),
    ...(typeof description === 'string'
      ? {description: words(description, maxWords, escapeLine)}
      : {}),
  };
  const isUsable = preset !== undefined && preset !== null && isShown(preset);
  return isUsable && valueProblem(field, preset) === undefined
    ? {...field, default: preset}
    : field;
}

function isShown(preset: Json): boolean {
  return typeof preset !== 'string' || firstUnsafe(preset) === undefined;
}

type Typed = Omit<InputField, 'name' | 'required' | 'title' | 'description' | 'default'>;

function typed(name: string, schema: JsonObject): Typed {
  const {type, items} = schema;
  const choices = choicesIn(name, schema);
  if (type === 'array') return choicesField(name, isJsonObject(items) ? items : {}, schema);
  if (type === 'string') return choices ? {type: 'choice', choices} : textField(schema);
  if (type === 'number' || type === 'integer') {
    return {type, ...bounds(schema['minimum'], schema['maximum'])};
  }
  if (type === 'boolean') return {type};
  throw refused(
    `its field ${name} has the type ${JSON.stringify(type)?.slice(0, 40)}; only plain values are asked for`,
  );
}

function textField({format: given, minLength, maxLength}: JsonObject): Typed {
  const format = inputFormats.find((each) => each === given);
  return {type: 'text', ...(format ? {format} : {}), ...bounds(minLength, maxLength)};
}

function choicesField(name: string, items: JsonObject, {minItems, maxItems}: JsonObject): Typed {
  const choices = choicesIn(name, {...items, oneOf: items['anyOf'] ?? items['oneOf'] ?? null});
  if (!choices) throw refused(`its field ${name} is a list without choices`);
  return {type: 'choices', choices, ...bounds(minItems, maxItems)};
}

function bounds(min: Json | undefined, max: Json | undefined): Pick<InputField, 'min' | 'max'> {
  return {
    ...(typeof min === 'number' ? {min} : {}),
    ...(typeof max === 'number' ? {max} : {}),
  };
}

/** Undefined for a schema without choices. */
function choicesIn(name: string, schema: JsonObject): readonly InputChoice[] | undefined {
  const {enum: values, enumNames, oneOf} = schema;
  const titles = isJsonArray(enumNames) ? enumNames : [];
  const choices = isJsonArray(values)
    ? values.map((value, index) => choiceOf(name, value, titles[index]))
    : isJsonArray(oneOf)
      ? oneOf.map((each) => choiceOf(name, ...constIn(each)))
      : undefined;
  if (choices && (choices.length === 0 || choices.length > maxChoices)) {
    throw refused(`its field ${name} has ${choices.length} choices; 1 to ${maxChoices} are shown`);
  }
  return choices;
}

function constIn(each: Json): [Json | undefined, Json | undefined] {
  return isJsonObject(each) ? [each['const'], each['title']] : [undefined, undefined];
}

function choiceOf(name: string, value?: Json, title?: Json): InputChoice {
  if (typeof value !== 'string' || !isPlain(value)) {
    throw refused(`its field ${name} has a choice that can't be shown`);
  }
  return {
    value,
    ...(typeof title === 'string' ? {title: words(title, maxWords, escapeLine)} : {}),
  };
}
