/** Ways through a graph that a search has found. */

import type {Graph, Step} from './search.ts';

/** Runs from the start, each to an end where one can be reached, that together take every step at least once. */
export function toursThroughAll<Move>(graph: Graph<Move>): Step<Move>[][] {
  const left = new Map([...graph.steps].map(([key, steps]) => [key, new Set(steps)]));
  const all: Step<Move>[][] = [];
  for (let tour = nextTour(graph, left); tour.length > 0; tour = nextTour(graph, left)) {
    all.push(tour);
  }
  return all;
}

function nextTour<Move>(
  graph: Graph<Move>,
  left: ReadonlyMap<string, Set<Step<Move>>>,
): Step<Move>[] {
  const tour: Step<Move>[] = [];
  const at = () => tour.at(-1)?.to ?? graph.start;
  const follow = (path: readonly Step<Move>[]) => {
    for (const step of path) {
      left.get(at())?.delete(step);
      tour.push(step);
    }
  };
  for (;;) {
    const path = stepsTo(graph, at(), (key) => (left.get(key)?.size ?? 0) > 0);
    const [fresh] = path ? (left.get(path.at(-1)?.to ?? at()) ?? []) : [];
    if (!path || !fresh) break;
    follow([...path, fresh]);
  }
  if (tour.length > 0) follow(stepsTo(graph, at(), (key) => graph.ends.has(key)) ?? []);
  return tour;
}

/** A shortest way from a state to one that is wanted; undefined when none can be reached. */
export function stepsTo<Move>(
  graph: Graph<Move>,
  from: string,
  isWanted: (key: string) => boolean,
): readonly Step<Move>[] | undefined {
  const seen = new Set([from]);
  let front: {key: string; path: readonly Step<Move>[]}[] = [{key: from, path: []}];
  while (front.length > 0) {
    const found = front.find(({key}) => isWanted(key));
    if (found) return found.path;
    front = front.flatMap(({key, path}) =>
      (graph.steps.get(key) ?? []).flatMap((step) => {
        if (seen.has(step.to)) return [];
        seen.add(step.to);
        return [{key: step.to, path: path.concat(step)}];
      }),
    );
  }
  return undefined;
}
