/** The rules of the chart lint, in the order in which they are explained. */

import type {Rule} from './rule.ts';
import {choiceWithoutDefault} from './rules/choice-without-default.ts';
import {deadEnd} from './rules/dead-end.ts';
import {hiddenByWildcard} from './rules/hidden-by-wildcard.ts';
import {lostOutput} from './rules/lost-output.ts';
import {neverTaken} from './rules/never-taken.ts';
import {unhandledError} from './rules/unhandled-error.ts';
import {unknownActor} from './rules/unknown-actor.ts';
import {unknownAction, unknownDelay, unknownGuard} from './rules/unknown-names.ts';
import {eventNeverHandled, eventNeverSent} from './rules/unmatched-events.ts';
import {unnamedAction, unnamedAssign, unnamedGuard} from './rules/unnamed.ts';
import {unreachableState} from './rules/unreachable-state.ts';

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
