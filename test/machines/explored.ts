/**
 * Walks the states that the real actors can reach, in every order of outcomes and timers (in a deep search all of them,
 * by every step that leads there), and some whole runs once more by other ways: equal keys must mean equal futures.
 */

import {isDeepStrictEqual} from 'node:util';

import type {AnyStateMachine, InspectionEvent} from 'xstate';

import type {PortName} from '../../machines/ports.ts';
import {statesOf, transitionNames} from '../../machines/testing/chart.ts';
import {
  type Graph,
  type Limits,
  search,
  type Step,
  stepsTo,
} from '../../machines/testing/search.ts';
import {type Coverage, noting} from '../support/coverage.ts';
import {isDeep} from '../support/depth.ts';
import {type Move, type Scenario, play, type Played} from '../support/played.ts';
import {toursThroughAll} from '../support/whole-tours.ts';
import {type ActorWatch, repeatedReports, watchActors} from './laws-actors.ts';

/** A sentence for everything that is wrong. */
export type Law = (played: Played) => readonly string[];

/** Something to explore, and what it must obey in each of its states: one law, or several by the rule that each states. */
export interface LawfulScenario {
  readonly name: string;
  readonly scenario: Scenario;
  readonly law: Law | Readonly<Record<string, Law>>;
}

export interface Explored extends Coverage {
  readonly states: number;
  readonly steps: number;
}

interface Exploration extends Explored {
  readonly graph: Graph<Move>;
}

/** Of the runs that together take every step, one in so many is taken once more in a deep search. */
const runsPerRepeat = 8;

/** How a scenario is explored. */
export interface Exploring {
  /** Makes the world as it is before the first step. */
  readonly start: (inspect: (event: InspectionEvent) => void) => Played;
  readonly limits: Limits;
}

const usualLimits = {states: 50_000, depth: 1_000};

/** Explores the scenario under the law, then takes whole runs through states that other ways have led to. Throws for a fault. */
export function explore(lawful: LawfulScenario, exploring: Partial<Exploring> = {}): Exploration {
  return withoutWarnings(() => exploreUnder(lawful, exploring));
}

function exploreUnder(
  {scenario, law}: LawfulScenario,
  {start = (inspect) => play(scenario, inspect), limits = usualLimits}: Partial<Exploring>,
): Exploration {
  const watches = new WeakMap<Played, ActorWatch>();
  const coverage: Coverage = {entered: new Set(), taken: new Set()};
  const note = noting(coverage);
  const watched = () => {
    const watch = watchActors();
    const played = start((event) => {
      note(event);
      watch.inspect(event);
    });
    watches.set(played, watch);
    return played;
  };
  const lawful = (played: Played) => {
    const status = played.status();
    if (status === 'done') requireEqual('still open at the end', played.open(), [], played);
    else if (status === 'broken' || played.moves().length === 0) {
      throw new Error(`${status}: ${String(played.output())}\n${storyOf(played)}`);
    }
    const faults = [
      ...(watches.get(played)?.faults() ?? []),
      ...repeatedReports(played),
      ...faultsIn(played, law),
    ];
    requireEqual('faults', faults, [], played);
  };
  const graph = search<Move, Played>({
    start: watched,
    check: lawful,
    isWhole: scenario.isWhole ?? isDeep,
    limits,
  });
  requireEqual('limits reached', graph.reached, []);
  if (graph.ends.size === 0) throw new Error('it never ends');
  const mayEnd = (key: string) => graph.ends.has(key) || graph.cut.has(key);
  const stuck = [...graph.steps.keys()].filter((key) => !stepsTo(graph, key, mayEnd));
  requireEqual('states from which it cannot end', stuck, []);
  requireEqual('continues for ever', isEndless(graph), false);
  const plain = () => start(() => undefined);
  repeatedRuns(graph).forEach((run) => repeat(run, graph.start, plain(), lawful));
  const steps = [...graph.steps.values()].flat().length;
  return {graph, states: graph.steps.size, steps, ...coverage};
}

function requireEqual(what: string, actual: unknown, expected: unknown, played?: Played): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const story = played ? `\n${storyOf(played)}` : '';
  throw new Error(`${what}: ${JSON.stringify(actual)}${story}`);
}

function repeatedRuns(graph: Graph<Move>): Step<Move>[][] {
  const runs = toursThroughAll(graph);
  if (isDeep) return runs.filter((_, index) => index % runsPerRepeat === 0);
  return runs.filter((run) => graph.ends.has(run.at(-1)?.to ?? graph.start)).slice(0, 1);
}

/** A person answers these: a run is resumed by one. */
const persons: ReadonlySet<PortName> = new Set(['askHuman', 'askPerson', 'awaitResume']);

/** Whether a run can continue for ever without a person's decision and without messages from outside. */
function isEndless(graph: Graph<Move>): boolean {
  const own = (key: string) =>
    (graph.steps.get(key) ?? []).filter(({move}) => !isPersonal(move)).map(({to}) => to);
  const steps = new Map([...graph.steps.keys()].map((key) => [key, own(key)]));
  for (let before = -1; before !== steps.size;) {
    before = steps.size;
    for (const [key, next] of steps) if (!next.some((to) => steps.has(to))) steps.delete(key);
  }
  return steps.size > 0;
}

function isPersonal(move: Move): boolean {
  return move.type === 'send' || (move.type === 'settle' && persons.has(move.port));
}

/** The same steps lead to the same states, whichever way has led to the states before. */
function repeat(
  run: readonly Step<Move>[],
  start: string,
  played: Played,
  check: (played: Played) => void,
): void {
  const sameState = 'a state that was reached otherwise before';
  requireEqual(sameState, played.key(), start, played);
  for (const {move, to} of run) {
    played.apply(move);
    requireEqual(sameState, played.key(), to, played);
  }
  check(played);
  requireEqual('the end of a run that ended before', played.status(), 'done', played);
}

const known = new WeakMap<LawfulScenario, Explored>();

/** The result of exploring the scenario, which is done at the first call. */
export function explored(lawful: LawfulScenario): Explored {
  const made = known.get(lawful);
  if (made) return made;
  const {graph: _, ...fresh} = explore(lawful);
  known.set(lawful, fresh);
  return fresh;
}

/** What is wrong, each under the rule that it breaks. */
function faultsIn(played: Played, law: LawfulScenario['law']): readonly string[] {
  if (typeof law === 'function') return law(played);
  return Object.entries(law).flatMap(([rule, each]) =>
    each(played).map((fault) => `${rule}: ${fault}`),
  );
}

/** States and transitions of a chart that its scenarios don't go through, but for what only a crash takes. */
export function uncovered(
  machine: AnyStateMachine,
  scenarios: readonly LawfulScenario[],
  crashTransitions: readonly string[] = [],
): string[] {
  return uncoveredBy(machine, scenarios.map(explored), crashTransitions);
}

export function uncoveredBy(
  machine: AnyStateMachine,
  coverages: readonly Coverage[],
  crashTransitions: readonly string[],
): string[] {
  const entered = new Set(coverages.flatMap((each) => Array.from(each.entered)));
  const taken = new Set(coverages.flatMap((each) => Array.from(each.taken)));
  return [
    ...statesOf(machine).filter((state) => !entered.has(state)),
    ...transitionNames(machine).filter(
      (name) => !taken.has(name) && !crashTransitions.includes(name),
    ),
  ];
}

/** The moves up to here, a line each: how to get to a state in which something is wrong. */
function storyOf({log}: Played): string {
  return log
    .flatMap((each) => {
      if (each.type === 'settled') return [`${each.path} ← ${JSON.stringify(each.outcome)}`];
      if (each.type === 'fired') return [`fired ${each.timer}`];
      return each.type === 'sent' ? [`sent ${JSON.stringify(each.event)}`] : [];
    })
    .join('\n');
}

/** XState's development build warns of charts that are wrong. What is done here is done at once: all warnings are of it. */
export function withoutWarnings<Result>(act: () => Result): Result {
  const {warn} = console;
  const warnings: string[] = [];
  console.warn = (text: unknown) => warnings.push(String(text));
  try {
    const result = act();
    requireEqual('warnings', warnings, []);
    return result;
  } finally {
    console.warn = warn;
  }
}
