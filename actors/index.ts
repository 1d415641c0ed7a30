/** The entry point of the library: the runtime and the parts that a program can pass to it. */

export type {Attachment} from '../machines/prompts/sections.ts';
export type {Config, ConfigInput} from './config/schema.ts';
export type {Entry, Journal} from './journal/journal.ts';
export type {LogContext, Logger} from './logger.ts';
export {createMemoryJournal} from './journal/sqlite.ts';
export {createSigner} from './journal/signing-key.ts';
export {createSqliteJournal} from './journal/sqlite.ts';
export type {Model, ModelCallContext, OfferedTool} from './model/model.ts';
export {createFunctionModel, createScriptedModels, loadScript} from './model/scripted.ts';
export {type Moment, Moments} from '../machines/trace/moments.ts';
export type {
  ActorChange,
  ActorState,
  EffectRequest,
  Gap,
  Message,
  Step,
} from '../machines/trace/step.ts';
export type {ModelCall, PromptPart} from '../machines/trace/step.ts';
export type {InspectedRun, TraceBatch, TraceOptions} from './inspect/inspection-api.ts';
export type {
  Figures,
  ModelFigures,
  RateOptions,
  Statistics,
  StatsOptions,
} from './metrics/measuring.ts';
export {readPatch} from '../tools/text/patch.ts';
export {type Peeked, peekRun} from './history/peek.ts';
export type {
  GivenOptions,
  PlaceOptions,
  ResumedSession,
  Run,
  RunEvent,
  Runtime,
  SessionQuery,
  SessionRow,
  StartOptions,
} from './runtime-api.ts';
export {createRuntime, type RuntimeOptions} from './runtime.ts';
export type {PruneOptions, PruneReport} from './sessions/prune.ts';
export type {SubmissionRecord, SubmissionRecords} from './journal/submissions.ts';
export {createSubmissions, type Submissions} from './submissions/submissions.ts';
