/** Checks properties in every reachable state of a machine, and finds a shortest run to a violation. */

import type {AnyEventObject, AnyStateMachine, SnapshotFrom} from 'xstate';

import {type Exploration, explore, type ExploreOptions, failureOf} from './explore.ts';
import {type Move, moveText, valueText} from './world/moves.ts';
import {MachineWorld} from './world/stage.ts';
import {tablesOf} from './world/tables.ts';

export interface CheckOptions<
  Machine extends AnyStateMachine = AnyStateMachine,
> extends ExploreOptions<Machine> {
  /** By the sentence that each states. */
  readonly properties?: Properties<Machine>;
  /** True if the machine may fail: an action, a guard or an actor throws, and nothing handles it. */
  readonly mayFail?: boolean;
  /** Random runs beyond the limits of the exploration, when one is reached. Absent: 100. */
  readonly walks?: number;
  /** Of the random runs. Absent: 1, so that a check gives the same result each time. */
  readonly seed?: number;
}

/** The view that a property of a machine has of a state. */
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

/** A property that does not hold, and a run that shows it. */
export class PropertyViolation extends Error {
  readonly property: string;
  readonly reason: string;
  /** The shortest run that was found. */
  readonly moves: readonly Move[];

  constructor(machine: string, {property, reason}: Fault, moves: readonly Move[]) {
    const steps = moves.map((move, index) => `  ${index + 1}. ${moveText(move)}`);
    const head = `${machine} violates "${property}"${reason === '' ? '' : `: ${reason}`}`;
    super([head, ...(steps.length === 0 ? ['  at its start'] : steps)].join('\n'));
    this.name = 'PropertyViolation';
    this.property = property;
    this.reason = reason;
    this.moves = moves;
  }
}

interface Fault {
  readonly property: string;
  readonly reason: string;
}

/** A machine with the properties that it must have. */
interface Subject {
  readonly open: () => MachineWorld;
  /** Of the first property that does not hold. */
  readonly violation: (world: MachineWorld, past: readonly Move[]) => PropertyViolation | undefined;
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
  const {runActions: runsActions = false} = options;
  const subject: Subject = {
    open: () => new MachineWorld({machine, tables: tablesOf(options), runsActions}),
    violation(world, past) {
      const fault = faultIn(world, options);
      return fault && new PropertyViolation(machine.id, fault, past);
    },
  };
  const exploration = explore(machine, options, (world, past) => {
    const violation = subject.violation(world, past);
    if (violation) throw violation;
  });
  if (exploration.limits.length > 0) await walkAtRandom(subject, options);
  return exploration;
}

/** Throws the shortest run to a violation that shrinking a random one leads to. */
async function walkAtRandom(
  subject: Subject,
  {walks = 100, seed = 1}: Pick<CheckOptions, 'walks' | 'seed'>,
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

function firstViolation(subject: Subject, choose: Choose): PropertyViolation | undefined {
  const world = subject.open();
  const moves: Move[] = [];
  for (;;) {
    const violation = subject.violation(world, moves);
    if (violation) return violation;
    const move = world.status() === 'working' ? choose(world, moves.length) : undefined;
    if (!move) return undefined;
    world.apply(move);
    moves.push(move);
  }
}

/** Leaves out moves, one by one, as long as the rest still violates the same property. */
function shortened(subject: Subject, found: PropertyViolation): PropertyViolation {
  for (const index of found.moves.keys()) {
    const shorter = tryMoves(
      subject,
      found.moves.filter((_, at) => at !== index),
    );
    if (shorter?.property === found.property) return shortened(subject, shorter);
  }
  return found;
}

/** Undefined when a move is not possible without the omitted moves, or when nothing is violated. */
function tryMoves(subject: Subject, moves: readonly Move[]): PropertyViolation | undefined {
  try {
    return firstViolation(subject, (_, count) => moves[count]);
  } catch {
    return undefined;
  }
}

/** The first property that does not hold. Every machine must not fail, unless it may. */
function faultIn<Machine extends AnyStateMachine>(
  world: MachineWorld,
  {properties = {}, mayFail = false}: CheckOptions<Machine>,
): Fault | undefined {
  const failure = failureOf(world);
  if (failure !== undefined)
    return mayFail ? undefined : {property: 'the machine does not fail', reason: failure};
  const {stage} = world;
  if (!stage) return undefined;
  const view = {
    snapshot: stage.snapshotAs<Machine>(),
    performed: stage.performed().map(({type}) => type),
    toParent: stage.toParent(),
  };
  for (const [property, holds] of Object.entries(properties)) {
    const reason = reasonOf(holds, view);
    if (reason !== undefined) return {property, reason};
  }
  return undefined;
}

/** Why a property does not hold; undefined: it holds. */
function reasonOf<Machine extends AnyStateMachine>(
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
