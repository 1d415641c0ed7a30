/** Checks properties in every reachable state of a machine, and finds a shortest run to a violation. */

import type {AnyStateMachine} from 'xstate';

import {type Exploration, explore, type ExploreOptions} from './explore.ts';
import {createSubject, type Subject, type SubjectOptions, type Violation} from './subject.ts';
import type {MachineWorld} from './world/machine-world.ts';
import type {Move} from './world/moves.ts';
import {tablesOf} from './world/tables.ts';

export interface CheckOptions<Machine extends AnyStateMachine = AnyStateMachine>
  extends ExploreOptions<Machine>, SubjectOptions<Machine> {
  readonly runActions?: boolean;
  /** Random runs beyond the limits of the exploration, when one is reached. Absent: 100. */
  readonly walks?: number;
  /** Of the random runs. Absent: 1, so that a check gives the same result each time. */
  readonly seed?: number;
}

/** Ends a search. */
class Found extends Error {
  readonly violation: Violation;
  readonly moves: readonly Move[];

  constructor(violation: Violation, moves: readonly Move[]) {
    super(violation.property);
    this.violation = violation;
    this.moves = moves;
  }
}

/** Moves of a random run. */
const walkLength = 200;

/**
 * Resolves with the exploration when all properties hold in every state that was explored, and in the states of random runs when a
 * limit was reached. Rejects with PropertyViolation.
 */
export async function check<Machine extends AnyStateMachine>(
  machine: Machine,
  options: CheckOptions<Machine> = {},
): Promise<Exploration> {
  const subject = createSubject(machine, tablesOf(options), options);
  try {
    const exploration = explore(machine, options, (world, past) => {
      const violation = subject.violation(world);
      if (violation) throw new Found(violation, past);
    });
    if (exploration.limits.length > 0) await walkAtRandom(subject, options);
    return exploration;
  } catch (error) {
    if (error instanceof Found) throw subject.report(error.violation, error.moves);
    throw error;
  }
}

/** Throws Found with the shortest run to a violation that shrinking a random one leads to. */
async function walkAtRandom<Machine extends AnyStateMachine>(
  subject: Subject<Machine>,
  {walks = 100, seed = 1}: CheckOptions<Machine>,
): Promise<void> {
  const {array, check: checkRuns, nat, property} = await import('fast-check');
  const runs = property(array(nat(), {maxLength: walkLength, size: 'max'}), (choices) => {
    return firstViolation(subject, chosen(choices)) === undefined;
  });
  const {counterexample} = checkRuns(runs, {numRuns: walks, seed});
  const [choices] = counterexample ?? [];
  const found = choices && firstViolation(subject, chosen(choices));
  if (found) throw shortened(subject, found);
}

/** The next move of a run: one of the open moves. */
type Choose = (world: MachineWorld, count: number) => Move | undefined;

function chosen(choices: readonly number[]): Choose {
  return (world, count) => {
    const [open, choice] = [world.moves(), choices[count]];
    return choice === undefined ? undefined : open[choice % open.length];
  };
}

function firstViolation<Machine extends AnyStateMachine>(
  subject: Subject<Machine>,
  choose: Choose,
): Found | undefined {
  const world = subject.open();
  const moves: Move[] = [];
  for (;;) {
    const violation = subject.violation(world);
    if (violation) return new Found(violation, moves);
    const move = world.status() === 'working' ? choose(world, moves.length) : undefined;
    if (!move) return undefined;
    world.apply(move);
    moves.push(move);
  }
}

/** Leaves out moves, one by one, as long as the rest still violates the same property. */
function shortened<Machine extends AnyStateMachine>(
  subject: Subject<Machine>,
  found: Found,
): Found {
  for (const index of found.moves.keys()) {
    const moves = found.moves.filter((_, at) => at !== index);
    const shorter = tryMoves(subject, moves);
    if (shorter?.violation.property === found.violation.property)
      return shortened(subject, shorter);
  }
  return found;
}

/** Undefined when a move is not possible without the omitted moves, or when nothing is violated. */
function tryMoves<Machine extends AnyStateMachine>(
  subject: Subject<Machine>,
  moves: readonly Move[],
): Found | undefined {
  try {
    return firstViolation(subject, (_, count) => moves[count]);
  } catch {
    return undefined;
  }
}
