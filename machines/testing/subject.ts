/** A machine with the properties that it must have. */

import type {AnyStateMachine} from 'xstate';

import {failureOf} from './explore.ts';
import type {Properties, Property, View} from './view.ts';
import {PropertyViolation} from './violation.ts';
import {createMachineWorld, type MachineWorld} from './world/machine-world.ts';
import {type Move, valueText} from './world/moves.ts';
import type {Tables} from './world/tables.ts';

export interface SubjectOptions<Machine extends AnyStateMachine> {
  /** By the sentence that each states. */
  readonly properties?: Properties<Machine>;
  /** True if the machine may fail: an action, a guard or an actor throws, and nothing handles it. */
  readonly mayFail?: boolean;
  readonly runActions?: boolean;
}

export interface Violation {
  readonly property: string;
  readonly reason: string;
}

export interface Subject<Machine extends AnyStateMachine> {
  readonly open: () => MachineWorld;
  readonly view: (world: MachineWorld) => View<Machine>;
  /** The first property that does not hold. */
  readonly violation: (world: MachineWorld) => Violation | undefined;
  readonly report: (violation: Violation, moves: readonly Move[]) => PropertyViolation;
}

/** The property that every machine must have, unless it may fail. */
const neverFails = 'the machine does not fail';

export function createSubject<Machine extends AnyStateMachine>(
  machine: Machine,
  tables: Tables,
  {properties = {}, mayFail = false, runActions = false}: SubjectOptions<Machine>,
): Subject<Machine> {
  return {
    open: () => createMachineWorld({machine, tables, runsActions: runActions}),
    view: viewOf,
    violation(world) {
      const failure = failureOf(world);
      if (failure !== undefined)
        return mayFail ? undefined : {property: neverFails, reason: failure};
      if (!world.actor()) return undefined;
      const seen: View<Machine> = viewOf(world);
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

function viewOf<Machine extends AnyStateMachine>(world: MachineWorld): View<Machine> {
  return {
    snapshot: world.actor()?.getSnapshot(),
    performed: world.performed().map(({type}) => type),
    toParent: world.toParent(),
  };
}
