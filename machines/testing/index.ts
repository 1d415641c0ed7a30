/** `quorate/testing`: explores, checks, drives and lints machines of XState 5. */

export {check, type CheckOptions} from './check.ts';
export {drive, type Driven, type DriveOptions} from './drive.ts';
export {
  type Exploration,
  explore,
  type ExploreOptions,
  type Failure,
  pathTo,
  type Reason,
  type Share,
} from './explore.ts';
export {type Finding, lintChart, type LintOptions} from './lint.ts';
export {type Stop, type Tour, tours, type TourStep} from './machine-tours.ts';
export {type ModelCase, type ModelOptions, testModel} from './model.ts';
export {type Move, moveText} from './world/moves.ts';
export {fails, next, Outcome, sends} from './world/moves.ts';
export type {Limits} from './search.ts';
export type {MachineSamples, Samples} from './world/tables.ts';
export type {Properties, Property, View} from './check.ts';
export {PropertyViolation} from './check.ts';
