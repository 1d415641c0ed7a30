/** The messages around a moment as a sequence diagram: one lane for each actor that takes part. */

import type {Message, Step} from '../../../../../machines/trace/step.ts';

export interface Sequence {
  /** The paths of the actors in the order of the tree. The empty path stands for the outside. */
  readonly lanes: readonly string[];
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
  /** The index of its step. */
  readonly index: number;
  readonly step: Step;
  readonly message: Message;
  /** Indexes of lanes. The same one twice: the actor sent it to itself. */
  readonly from: number;
  readonly to: number;
}

export interface Around {
  /** The index of the shown step. All of its messages are in the diagram. */
  readonly index: number;
  /** The most messages before the shown step, and after it. */
  readonly before: number;
  readonly after: number;
  /** No more messages are added that need more lanes. */
  readonly lanes: number;
  /** Only messages from and to this actor. */
  readonly actor?: string;
}

export function sequenceAround(steps: readonly Step[], around: Around): Sequence {
  const {index, before, after, actor} = around;
  const messagesAt = (at: number): readonly Found[] =>
    (steps[at]?.messages ?? [])
      .filter(({from, to}) => actor === undefined || from === actor || to === actor)
      .map((message) => ({index: at, message}));
  const middle = messagesAt(index);
  const taken = new Set(middle.flatMap(({message}) => pathsOf(message)));
  const earlier = nearest(backwards(index - 1, messagesAt), before, taken, around.lanes);
  const later = nearest(forwards(index + 1, steps.length, messagesAt), after, taken, around.lanes);
  const shown = [...earlier.toReversed(), ...middle, ...later];
  const lanes = lanesOf(shown);
  const arrows = shown.flatMap(({index: at, message}) => {
    const step = steps[at];
    const [from = '', to = ''] = pathsOf(message);
    return step ? {index: at, step, message, from: lanes.indexOf(from), to: lanes.indexOf(to)} : [];
  });
  return {lanes, arrows};
}

function pathsOf({from = '', to}: Message): readonly string[] {
  return [from, to];
}

function* backwards(
  start: number,
  messagesAt: (index: number) => readonly Found[],
): Generator<Found, void, undefined> {
  for (let at = start; at >= 0; at -= 1) yield* messagesAt(at).toReversed();
}

function* forwards(
  start: number,
  end: number,
  messagesAt: (index: number) => readonly Found[],
): Generator<Found, void, undefined> {
  for (let at = start; at < end; at += 1) yield* messagesAt(at);
}

/** The first of the messages, while the lanes suffice. `taken`: the lanes that there are; new ones are added. */
function nearest(
  messages: Generator<Found, void, undefined>,
  most: number,
  taken: Set<string>,
  mostLanes: number,
): readonly Found[] {
  const found: Found[] = [];
  for (const each of messages) {
    const fresh = pathsOf(each.message).filter((path) => !taken.has(path));
    if (found.length >= most || taken.size + new Set(fresh).size > mostLanes) break;
    for (const path of fresh) taken.add(path);
    found.push(each);
  }
  return found;
}

type Found = Pick<Arrow, 'index' | 'message'>;

/** A parent is left of its children; siblings are in the order of their first messages. */
function lanesOf(found: readonly Found[]): readonly string[] {
  const paths = new Set(found.flatMap(({message}) => pathsOf(message)));
  const ranks = new Map<string, number>();
  const places = new Map([...paths].map((path) => [path, placeOf(path, ranks)]));
  return [...paths].toSorted((one, other) =>
    compare(places.get(one) ?? [], places.get(other) ?? []),
  );
}

/** The ranks of an actor's parents and its own. The outside is before all. */
function placeOf(path: string, ranks: Map<string, number>): readonly number[] {
  if (path === '') return [];
  return path.split('/').map((_, index, ids) => {
    const prefix = ids.slice(0, index + 1).join('/');
    const rank = ranks.get(prefix) ?? ranks.size;
    ranks.set(prefix, rank);
    return rank;
  });
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  if (at < 0) return one.length - other.length;
  const rank = other[at];
  return rank === undefined ? 1 : (one[at] ?? 0) - rank;
}
