/** Edits of JSON text that keep its indentation and the order of its keys. */

import {isJsonObject} from '../../machines/domain/json.ts';

/** The reason why a text can't be edited, as a sentence about its file: `has no key "port"`. */
export interface Problem {
  readonly problem: string;
}

export type Edit = (text: string) => string | Problem;

/** A key with its value, by their positions in the text. */
interface Member {
  /** `server.port`, `list.0`. */
  readonly path: string;
  /** The end of the brace or comma before it. */
  readonly opened: number;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
  /** The end of the comma after it; undefined for the last one. */
  readonly closed: number | undefined;
}

/** The members of the value at a position of valid JSON, at every depth, and the end of the value. */
function scan(text: string, at: number, base = ''): {members: readonly Member[]; end: number} {
  const brace = text[at];
  if (brace !== '{' && brace !== '[')
    return {members: [], end: skip(/"(?:\\.|[^"\\])*"|[\w.+-]+/y, text, at)};
  const members: Member[] = [];
  let opened = at + 1;
  let start = skip(/\s*/y, text, opened);
  for (let count = 0; !/[}\]]/.test(text[start] ?? ']'); count += 1) {
    const colon = brace === '{' ? skip(/"(?:\\.|[^"\\])*"\s*:\s*/y, text, start) : start;
    const name = brace === '{' ? nameIn(text.slice(start, colon)) : String(count);
    const value = scan(text, colon, `${base}${name}.`);
    const after = skip(/\s*,?/y, text, value.end);
    const closed = text[after - 1] === ',' ? after : undefined;
    members.push(
      {path: `${base}${name}`, opened, start, valueStart: colon, end: value.end, closed},
      ...value.members,
    );
    opened = after;
    start = skip(/\s*/y, text, opened);
  }
  return {members, end: start + 1};
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function nameIn(text: string): string {
  return String(JSON.parse(text.slice(0, text.lastIndexOf(':'))));
}

/** An edit of a text that must be JSON. */
function ofJson(edit: (text: string, members: readonly Member[]) => string | Problem): Edit {
  return (text) => {
    if (!isJsonObject(parsed(text))) return {problem: 'is not a JSON object'};
    return edit(text, scan(text, skip(/\s*/y, text, 0)).members);
  };
}

/** Undefined for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By its whole path, or by its last part if only one key has it. */
function find(members: readonly Member[], key: string): Member | Problem {
  const whole = members.filter(({path}) => path === key);
  const found = whole.length > 0 ? whole : members.filter(({path}) => path.endsWith(`.${key}`));
  const [only] = found;
  if (only && found.length === 1) return only;
  return {
    problem: only
      ? `has more than one such key: ${found.map(({path}) => path).join(', ')}`
      : `has no key "${key}"`,
  };
}

/** `next` receives the old value as written, and returns the new one, both as JSON. */
export function setKey(key: string, next: (old: string) => string | Problem): Edit {
  return ofJson((text, members) => {
    const member = find(members, key);
    if ('problem' in member) return member;
    const {valueStart, end} = member;
    const value = next(text.slice(valueStart, end));
    return typeof value === 'string' ? text.slice(0, valueStart) + value + text.slice(end) : value;
  });
}

export function addKey(key: string, value: string): Edit {
  return ofJson((text, members) => {
    const outer = members.filter(({path}) => !path.includes('.'));
    if (members.some(({path}) => path === key)) return {problem: `has the key "${key}" already`};
    const last = outer.at(-1);
    const at = last?.end ?? text.indexOf('{') + 1;
    const before = last ? `,${text.slice(last.opened, last.start)}` : '';
    return `${text.slice(0, at)}${before}${JSON.stringify(key)}: ${value}${text.slice(at)}`;
  });
}

export function removeKey(key: string): Edit {
  return ofJson((text, members) => {
    const member = find(members, key);
    if ('problem' in member) return member;
    const {opened, end, closed} = member;
    const start = closed === undefined && text[opened - 1] === ',' ? opened - 1 : opened;
    return text.slice(0, start) + text.slice(closed ?? end);
  });
}
