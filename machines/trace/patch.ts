/** Differences of JSON values, and their application. Unchanged parts are shared between the versions of a value. */

import {isJsonArray, isJsonObject, type Json, type JsonObject} from '../domain/json.ts';

/** The place in a value: members of objects, indexes of arrays. */
export type JsonPath = readonly (string | number)[];

/** An absent `value`: the member is removed. With `length`, the array is cut to this length first. */
export interface Edit {
  readonly path: JsonPath;
  readonly value?: Json;
  readonly length?: number;
}

/** In order. An edit with an empty path replaces the whole value. */
export type Patch = readonly Edit[];

/** Empty: they are equal. Parts that are the same object are not compared. */
export function patchBetween(before: Json, after: Json): Patch {
  const edits: Edit[] = [];
  compare(before, after, [], edits);
  return edits;
}

function compare(before: Json, after: Json, path: JsonPath, edits: Edit[]): void {
  if (before === after) return;
  if (isJsonArray(before) && isJsonArray(after)) compareArrays(before, after, path, edits);
  else if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, path, edits);
  else edits.push({path, value: after});
}

function compareArrays(
  before: readonly Json[],
  after: readonly Json[],
  path: JsonPath,
  edits: Edit[],
): void {
  if (after.length < before.length) edits.push({path, length: after.length});
  for (const [index, value] of after.entries()) {
    const old = before[index];
    // A context may have a list with `undefined`, which is no JSON.
    if (old === value) continue;
    if (old === undefined) edits.push({path: [...path, index], value});
    else compare(old, value, [...path, index], edits);
  }
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  path: JsonPath,
  edits: Edit[],
): void {
  for (const key of Object.keys(before)) {
    if (ownMember(after, key) === undefined && ownMember(before, key) !== undefined)
      edits.push({path: [...path, key]});
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = ownMember(before, key);
    if (old === undefined) edits.push({path: [...path, key], value});
    else compare(old, value, [...path, key], edits);
  }
}

/** A member that differs. Absent `before`: it was added. Absent `after`: it was removed. */
export interface MemberDifference {
  readonly path: JsonPath;
  readonly before?: Json;
  readonly after?: Json;
}

/** An array that became shorter is one difference. */
export function membersBetween(before: Json, after: Json): MemberDifference[] {
  const patch = patchBetween(before, after);
  const cut = patch.filter(({length}) => length !== undefined).map(({path}) => path);
  const isInner = (path: JsonPath) => cut.some((each) => each !== path && isWithin(path, each));
  return patch.flatMap(({path}) => {
    if (isInner(path)) return [];
    const [old, value] = [valueAt(before, path), valueAt(after, path)];
    return [
      {
        path,
        ...(old === undefined ? {} : {before: old}),
        ...(value === undefined ? {} : {after: value}),
      },
    ];
  });
}

function isWithin(path: JsonPath, outer: JsonPath): boolean {
  return outer.every((key, at) => key === path[at]);
}

function valueAt(value: Json, path: JsonPath): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (isJsonArray(found)) found = found[Number(key)];
    else found = isJsonObject(found) ? ownMember(found, String(key)) : undefined;
  }
  return found;
}

/** Not what an object inherits: a context may have any member. */
function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Throws Error for a patch of another value. */
export function applyPatch(value: Json, patch: Patch): Json {
  return patch.reduce<Json>((current, edit) => applyAt(current, edit, 0), value);
}

function applyAt(value: Json, edit: Edit, depth: number): Json {
  const key = edit.path[depth];
  if (key === undefined) return whole(value, edit);
  const isLast = depth === edit.path.length - 1 && edit.length === undefined;
  if (isJsonArray(value)) {
    const index = Number(key);
    const copy = [...value];
    copy[index] = isLast ? (edit.value ?? null) : applyAt(memberOf(value[index]), edit, depth + 1);
    return copy;
  }
  if (!isJsonObject(value)) throw new Error(`the patch has no value at ${String(key)}`);
  if (!isLast)
    return withMember(
      value,
      key,
      applyAt(memberOf(ownMember(value, String(key))), edit, depth + 1),
    );
  if (edit.value !== undefined) return withMember(value, key, edit.value);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== String(key)));
}

/** Also for a member named `__proto__`, which a literal would not define. */
function withMember(value: JsonObject, key: string | number, member: Json): JsonObject {
  const copy = {...value};
  Object.defineProperty(copy, key, {
    value: member,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return copy;
}

function whole(value: Json, {value: replaced = null, length}: Edit): Json {
  if (length === undefined) return replaced;
  return isJsonArray(value) ? value.slice(0, length) : value;
}

function memberOf(member: Json | undefined): Json {
  if (member === undefined) throw new Error('the patch is of another value');
  return member;
}
