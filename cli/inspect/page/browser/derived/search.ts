/** Search over everything in a trace: plain text, in any letter case. It is done in slices, so that a page stays responsive. */

import {isJsonArray, type Json} from '../../../../../machines/domain/json.ts';
import type {ActorChange, Step} from '../../../../../machines/trace/step.ts';
import type {ModelCall} from '../../../../../machines/trace/view.ts';

/** The parts of a trace with texts. */
export type Place = 'entry' | 'report' | 'message' | 'actor' | 'prompt' | 'reply';

export interface Hit {
  /** Of the step. */
  readonly index: number;
  readonly place: Place;
  /** The type of the entry, report or message; the role of a part of a prompt; the path of an actor. */
  readonly name: string;
  /** The path of the actor to select. */
  readonly actor?: string;
  /** The key of the call to open. */
  readonly call?: string;
  readonly snippet: Snippet;
}

export interface Snippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface Search {
  /** In the order of the steps; at most as many as were asked for. */
  readonly hits: readonly Hit[];
  /** Further hits, which are only counted. */
  readonly more: number;
  readonly isDone: boolean;
  /** Searches on while this returns true. */
  readonly advance: (mayContinue: () => boolean) => void;
}

interface Searched extends Omit<Hit, 'snippet'> {
  readonly value: Json;
}

/** A part that contains the text several times is one hit. Nothing contains a blank text. */
export function searchTrace(
  text: string,
  {
    steps,
    calls,
    limit,
  }: {
    readonly steps: readonly Step[];
    readonly calls: readonly ModelCall[] | undefined;
    readonly limit: number;
  },
): Search {
  const pattern = patternFor(text.trim());
  const parts = text.trim() === '' ? [].values() : searchedParts(steps, calls);
  const hits: Hit[] = [];
  let more = 0;
  let isDone = false;
  return {
    hits,
    get more() {
      return more;
    },
    get isDone() {
      return isDone;
    },
    advance: (mayContinue) => {
      while (!isDone && mayContinue()) {
        const next = parts.next();
        isDone = next.done === true;
        const found = next.done ? undefined : hitIn(next.value, pattern);
        if (found && hits.length < limit) hits.push(found);
        else if (found) more += 1;
      }
    },
  };
}

function patternFor(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu');
}

function hitIn({value, ...place}: Searched, pattern: RegExp): Hit | undefined {
  const snippet = snippetIn(value, pattern, 0);
  return snippet && {...place, snippet};
}

const around = 60;
/** Deeper parts of a value are not searched. */
const maxDepth = 200;

function snippetIn(value: Json, pattern: RegExp, depth: number): Snippet | undefined {
  if (typeof value === 'string') return snippetOf(value, pattern);
  if (typeof value === 'number') return snippetOf(String(value), pattern);
  if (depth > maxDepth || typeof value === 'boolean' || value === null) return undefined;
  if (isJsonArray(value)) return firstOf(value, (each) => snippetIn(each, pattern, depth + 1));
  return firstOf(
    Object.entries(value),
    ([key, each]) => snippetOf(key, pattern) ?? snippetIn(each, pattern, depth + 1),
  );
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item) => Snippet | undefined,
): Snippet | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

function snippetOf(text: string, pattern: RegExp): Snippet | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [match] = found;
  const end = found.index + match.length;
  const start = Math.max(0, found.index - around);
  return {
    before: `${start > 0 ? '…' : ''}${text.slice(start, found.index).toWellFormed()}`,
    match,
    after: `${text.slice(end, end + around).toWellFormed()}${end + around < text.length ? '…' : ''}`,
  };
}

function* searchedParts(
  steps: readonly Step[],
  calls: readonly ModelCall[] = [],
): Generator<Searched> {
  const requested = Map.groupBy(calls, (call) => call.requested);
  const settled = Map.groupBy(calls, (call) => call.settled ?? -1);
  const seen = new Set<string>();
  for (const [index, step] of steps.entries()) {
    yield* partsOfStep(step, index);
    for (const call of requested.get(step.seq) ?? []) {
      yield* partsOfPrompt(call, index, seen);
    }
    yield* repliesIn(settled.get(step.seq) ?? [], index);
  }
}

function* repliesIn(calls: readonly ModelCall[], index: number): Generator<Searched> {
  for (const {outcome, actor, key, model} of calls) {
    if (outcome) yield {index, place: 'reply', name: model, actor, call: key, value: outcome};
  }
}

function* partsOfStep(
  {cause, reports, messages, changes}: Step,
  index: number,
): Generator<Searched> {
  if (cause.kind === 'entry') {
    yield {index, place: 'entry', name: cause.entry.type, value: cause.entry};
  } else {
    yield {index, place: 'message', name: cause.to, actor: cause.to, value: cause.event};
  }
  for (const {report, actor} of reports) {
    yield {
      index,
      place: 'report',
      name: report.type,
      actor,
      value: JSON.parse(JSON.stringify(report)),
    };
  }
  for (const {to, event} of messages) {
    yield {index, place: 'message', name: event.type, actor: to, value: event};
  }
  for (const change of changes) {
    yield {
      index,
      place: 'actor',
      name: change.path,
      actor: change.path,
      value: valueOfChange(change),
    };
  }
}

/** Paths are searched where an actor begins. */
function valueOfChange(change: ActorChange): Json {
  if (change.change === 'ended') return null;
  if (change.change === 'started') return [change.path, change.logic, change.state, change.context];
  const values = change.context?.flatMap(({path, value}) => [
    ...path.filter((key) => typeof key === 'string'),
    value ?? null,
  ]);
  return [change.state ?? null, ...(values ?? [])];
}

/** A text that several calls have is found in the first one. */
function* partsOfPrompt(
  {key, actor, prompt}: ModelCall,
  index: number,
  seen: Set<string>,
): Generator<Searched> {
  for (const {role, name, text} of prompt) {
    if (seen.has(text)) continue;
    seen.add(text);
    yield {index, place: 'prompt', name: name ?? role, actor, call: key, value: text};
  }
}
