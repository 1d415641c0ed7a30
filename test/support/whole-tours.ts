/** Ways through a graph that a search has found. */

import {type Graph, type Step, stepsTo} from '../../machines/testing/search.ts';

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
