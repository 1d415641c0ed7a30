/**
 * Arguments that a tool wants to have sent as HTTP headers, too (`x-mcp-header`). A client must leave out a tool whose
 * declarations are invalid: SEP-2243, in the revision of 2026-07-28.
 */

import {isJsonObject} from '../../machines/domain/json.ts';

const keyword = 'x-mcp-header';
/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Why the declarations of a schema are invalid. A clause. */
export function headerProblem(schema: unknown): string | undefined {
  const declared = declarationsIn(schema, 'elsewhere');
  const names = declared.map(({name}) => String(name).toLowerCase());
  const isValid =
    declared.every(
      ({name, type, place}) =>
        place === 'argument' && typeof name === 'string' && token.test(name) && types.has(type),
    ) && new Set(names).size === names.length;
  return isValid ? undefined : 'has an argument with an invalid header name';
}

interface Declaration {
  readonly name: unknown;
  readonly type: unknown;
  readonly place: Place;
}

/** `argument`: reached from the root by `properties` alone, as it must be. `names`: a map, whose keys are not keywords. */
type Place = 'argument' | 'names' | 'elsewhere';

function declarationsIn(part: unknown, place: Place, isRoot = true): readonly Declaration[] {
  if (Array.isArray(part)) return part.flatMap((one) => declarationsIn(one, 'elsewhere', false));
  if (!isJsonObject(part)) return [];
  const isMap = place === 'names';
  const isReached = isRoot || place === 'argument';
  const own = !isMap && Object.hasOwn(part, keyword);
  return [
    ...(own ? [{name: part[keyword], type: part['type'], place}] : []),
    ...Object.entries(part).flatMap(([key, value]) => {
      if (isMap) return declarationsIn(value, 'argument', false);
      return declarationsIn(
        value,
        key === 'properties' && isReached ? 'names' : 'elsewhere',
        false,
      );
    }),
  ];
}
