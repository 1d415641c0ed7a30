/** Converts the keys of a form that a program has to the keys of form files. */

import {isJsonObject, type Json, type JsonObject} from '../domain/json.ts';

type Names = Readonly<Record<string, string>>;

const fieldNames: Names = {relevantIf: 'relevant_if', sortOrder: 'order'};
const factNames: Names = {
  doneCriteria: 'done_criteria',
  questioningHints: 'questioning_hints',
  factKey: 'key',
  formFieldId: 'field',
};

/**
 * Returns the form with the keys of files and without nulls. In a field, `{id, fieldId}` are its row and its id; a fact may
 * name its field by either, and its own row is dropped. A form without an id gets `name`, or `form` if it has such rows.
 * Data that is not an object is returned unchanged.
 */
export function asFormFile(data: unknown, name?: string): unknown {
  if (!isJsonObject(data)) return data;
  const form = withoutNulls(data);
  const ids = idsByRow(form['fields']);
  const id = name ?? (ids.size > 0 ? 'form' : undefined);
  return {
    ...(id === undefined ? {} : {id}),
    ...form,
    ...('fields' in form ? {fields: each(form['fields'], asField)} : {}),
    ...('facts' in form ? {facts: each(form['facts'], (fact) => asFact(fact, ids))} : {}),
  };
}

function asField(given: JsonObject): JsonObject {
  const {fieldId, ...field} = renamed(given, fieldNames);
  return fieldId === undefined ? field : {...field, id: fieldId};
}

function asFact(given: JsonObject, ids: ReadonlyMap<Json, Json>): JsonObject {
  if (!('formFieldId' in given)) return renamed(given, factNames);
  const {id: _row, ...fact} = renamed(given, factNames);
  const {field = ''} = fact;
  return {...fact, field: ids.get(field) ?? field};
}

function idsByRow(fields: Json | undefined): ReadonlyMap<Json, Json> {
  const rows = Array.isArray(fields) ? (fields as readonly Json[]).filter(isJsonObject) : [];
  return new Map(
    rows.flatMap(({id, fieldId}) =>
      id === undefined || fieldId === undefined ? [] : [[id, fieldId]],
    ),
  );
}

function each(list: Json | undefined, change: (entry: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(list)) return list;
  const entries: readonly Json[] = list;
  return entries.map((entry) => (isJsonObject(entry) ? change(withoutNulls(entry)) : entry));
}

function renamed(given: JsonObject, names: Names): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}

function withoutNulls(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
