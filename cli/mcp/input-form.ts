/** The fields that the server of a run asks for, as the form in which the client of `quorate mcp` asks its person for them. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {InputField} from '../../machines/server-input/server-input.ts';

export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/** As a server of the protocol would send it. */
export function inputForm(fields: readonly InputField[]): FormSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.filter(({required}) => required).map(({name}) => name),
  };
}

function fieldSchema(field: InputField): JsonObject {
  const {title, description, default: value} = field;
  return {
    ...typeSchema(field),
    ...(title === undefined ? {} : {title}),
    ...(description === undefined ? {} : {description}),
    ...(value === undefined ? {} : {default: value}),
  };
}

function typeSchema(field: InputField): JsonObject {
  const {type, format, min, max, choices = []} = field;
  const options = choices.map((choice) => ({
    const: choice.value,
    title: choice.title ?? choice.value,
  }));
  if (type === 'choice') return {type: 'string', oneOf: options};
  if (type === 'choices')
    return {type: 'array', items: {anyOf: options}, ...bounds('minItems', 'maxItems', min, max)};
  if (type === 'text') {
    const form = format === undefined ? {} : {format};
    return {type: 'string', ...form, ...bounds('minLength', 'maxLength', min, max)};
  }
  return type === 'boolean' ? {type} : {type, ...bounds('minimum', 'maximum', min, max)};
}

function bounds(least: string, most: string, min?: number, max?: number): JsonObject {
  return {
    ...(min === undefined ? {} : {[least]: min}),
    ...(max === undefined ? {} : {[most]: max}),
  };
}
