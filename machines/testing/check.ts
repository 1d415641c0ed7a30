/** Checks properties in every reachable state of a machine, and finds a shortest run to a violation. */

import type {AnyEventObject, AnyStateMachine, SnapshotFrom} from 'xstate';

import {type Exploration, explore, type ExploreOptions, failureOf} from './explore.ts';
import {type Move, moveText, valueText} from './world/moves.ts';
import {MachineWorld, type Stage} from './world/stage.ts';
import {type Tables, tablesOf} from './world/tables.ts';

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
  subject: Subject,
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

function firstViolation(subject: Subject, choose: Choose): Found | undefined {
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
function shortened(subject: Subject, found: Found): Found {
  for (const index of found.moves.keys()) {
    const moves = found.moves.filter((_, at) => at !== index);
    const shorter = tryMoves(subject, moves);
    if (shorter?.violation.property === found.violation.property)
      return shortened(subject, shorter);
  }
  return found;
}

/** Undefined when a move is not possible without the omitted moves, or when nothing is violated. */
function tryMoves(subject: Subject, moves: readonly Move[]): Found | undefined {
  try {
    return firstViolation(subject, (_, count) => moves[count]);
  } catch {
    return undefined;
  }
}

// A machine with the properties that it must have.

interface SubjectOptions<Machine extends AnyStateMachine> {
  /** By the sentence that each states. */
  readonly properties?: Properties<Machine>;
  /** True if the machine may fail: an action, a guard or an actor throws, and nothing handles it. */
  readonly mayFail?: boolean;
  readonly runActions?: boolean;
}

interface Violation {
  readonly property: string;
  readonly reason: string;
}

interface Subject {
  readonly open: () => MachineWorld;
  /** The first property that does not hold. */
  readonly violation: (world: MachineWorld) => Violation | undefined;
  readonly report: (violation: Violation, moves: readonly Move[]) => PropertyViolation;
}

/** The property that every machine must have, unless it may fail. */
const neverFails = 'the machine does not fail';

function createSubject<Machine extends AnyStateMachine>(
  machine: Machine,
  tables: Tables,
  {properties = {}, mayFail = false, runActions = false}: SubjectOptions<Machine>,
): Subject {
  return {
    open: () => new MachineWorld({machine, tables, runsActions: runActions}),
    violation(world) {
      const failure = failureOf(world);
      if (failure !== undefined)
        return mayFail ? undefined : {property: neverFails, reason: failure};
      const {stage} = world;
      if (!stage) return undefined;
      const seen: View<Machine> = viewOf(stage);
      for (const [property, holds] of Object.entries(properties)) {
        const reason = faultOf(holds, seen);
        if (reason !== undefined) return {property, reason};
      }
      return undefined;
    },
    report: (violation, moves) => new PropertyViolation({machine: machine.id, ...violation, moves}),
  };
}

/** Why a property does not hold; undefined: it holds. */
function faultOf<Machine extends AnyStateMachine>(
  holds: Property<Machine>,
  view: View<Machine>,
): string | undefined {
  try {
    const verdict = holds(view);
    if (verdict === false) return '';
    return typeof verdict === 'string' ? verdict : undefined;
  } catch (error) {
    return valueText(error);
  }
}

function viewOf<Machine extends AnyStateMachine>(stage: Stage): View<Machine> {
  return {
    snapshot: stage.snapshotAs<Machine>(),
    performed: stage.performed().map(({type}) => type),
    toParent: stage.toParent(),
  };
}

// A property that does not hold, and a run that shows it.

export interface ViolatingRun {
  /** The id of the machine. */
  readonly machine: string;
  readonly property: string;
  readonly reason: string;
  readonly moves: readonly Move[];
}

export class PropertyViolation extends Error {
  readonly property: string;
  readonly reason: string;
  /** The shortest run that was found. */
  readonly moves: readonly Move[];

  constructor({machine, property, reason, moves}: ViolatingRun) {
    const steps = moves.map((move, index) => `  ${index + 1}. ${moveText(move)}`);
    const head = `${machine} violates "${property}"${reason === '' ? '' : `: ${reason}`}`;
    super([head, ...(steps.length === 0 ? ['  at its start'] : steps)].join('\n'));
    this.name = 'PropertyViolation';
    this.property = property;
    this.reason = reason;
    this.moves = moves;
  }
}

// The view that a property of a machine has of a state.

export interface View<Machine extends AnyStateMachine = AnyStateMachine> {
  readonly snapshot: SnapshotFrom<Machine>;
  /** Names of the custom actions from the start to here, in order. */
  readonly performed: readonly string[];
  /** Events that the machine sent to its parent, from the start to here. */
  readonly toParent: readonly AnyEventObject[];
}

/** Holds unless it returns false or a sentence that says what is wrong, or throws. */
export type Property<Machine extends AnyStateMachine = AnyStateMachine> = (
  view: View<Machine>,
) => boolean | string | void;

export type Properties<Machine extends AnyStateMachine = AnyStateMachine> = Readonly<
  Record<string, Property<Machine>>
>;
