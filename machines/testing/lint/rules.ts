/** The rules of the chart lint, in the order in which they are explained. */

import {choiceWithoutDefault} from './choice-without-default.ts';
import {deadEnd} from './dead-end.ts';
import {hiddenByWildcard} from './hidden-by-wildcard.ts';
import {lostOutput} from './lost-output.ts';
import {neverTaken} from './never-taken.ts';
import type {Rule} from './rule.ts';
import {unhandledError} from './unhandled-error.ts';
import {unknownActor} from './unknown-actor.ts';
import {unknownAction, unknownDelay, unknownGuard} from './unknown-names.ts';
import {eventNeverHandled, eventNeverSent} from './unmatched-events.ts';
import {unnamedAction, unnamedAssign, unnamedGuard} from './unnamed.ts';
import {unreachableState} from './unreachable-state.ts';

export const rules: readonly Rule[] = [
  unhandledError,
  unreachableState,
  deadEnd,
  choiceWithoutDefault,
  neverTaken,
  eventNeverSent,
  eventNeverHandled,
  hiddenByWildcard,
  lostOutput,
  unknownActor,
  unknownDelay,
  unknownGuard,
  unknownAction,
  unnamedGuard,
  unnamedAction,
  unnamedAssign,
];
