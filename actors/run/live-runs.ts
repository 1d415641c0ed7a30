/** The runs of one runtime that this process runs, and their listeners. */

import {AppError} from '../../machines/domain/app-error.ts';
import {defaultContextMode, formTraits} from '../../machines/domain/interaction-form.ts';
import {asJson} from '../../machines/domain/json.ts';
import {cap} from '../../machines/domain/text-limits.ts';
import type {Attachment} from '../../machines/prompts/sections.ts';
import type {Snapshots} from '../../tools/index.ts';
import {recordedConfig} from '../config/change.ts';
import type {Config} from '../config/schema.ts';
import type {Equipment, RuntimeOptions} from '../equipment.ts';
import {logEvent} from '../logger.ts';
import {pricesOf} from '../model/prices.ts';
import type {ListenOptions, Run, StartOptions} from '../runtime-api.ts';
import {withContext} from '../sessions/opening-context.ts';
import {restAfter} from '../undo/backups.ts';
import {chartsVersion} from '../version.ts';
import {createId, type OpenedInput, type Prepared} from './run-input.ts';
import {LiveRun} from './run.ts';
import {
  checkedGoods,
  checkedRequest,
  checkedRunForm,
  checkedSession,
  checkedWorkspace,
} from './validation.ts';

export interface LiveRuns {
  /** Throws AppError `usage` once closed. */
  readonly requireOpen: () => void;
  /** Keeps the run in the list until it ends; aborting the signal cancels it. */
  readonly track: (run: LiveRun, signal: ListenOptions['signal']) => Run;
  /** Tracks a run that is being resumed. Rejects as `resume`, or with AppError `usage` once closed. */
  readonly takeUp: (
    resume: () => Promise<LiveRun>,
    signal?: ListenOptions['signal'],
  ) => Promise<Run>;
  /** Waits for the runs being resumed, then suspends all. */
  readonly close: () => Promise<void>;
}

export function createLiveRuns(
  snapshots: Pick<Snapshots, 'baselines' | 'rest'>,
  lends: boolean,
): LiveRuns {
  const why = lends ? 'handedOver' : 'interrupted';
  const runs = new Set<LiveRun>();
  const openings = new Set<Promise<Run>>();
  const endings = new Set<Promise<void>>();
  let isClosed = false;
  const requireOpen = (): void => {
    if (isClosed) throw new AppError('usage', 'the runtime is closed; create another one');
  };
  const track: LiveRuns['track'] = (run, signal) => {
    runs.add(run);
    void run.result.then(cancelOn(signal, run));
    void run.result.then(() => runs.delete(run));
    const ending = run.result.then(restAfter(snapshots, run.id));
    endings.add(ending);
    void ending.then(() => endings.delete(ending));
    return run;
  };
  return {
    requireOpen,
    track,
    takeUp: async (resume, signal) => {
      requireOpen();
      const opening = resume().then((run) => track(run, signal));
      openings.add(opening);
      try {
        return await opening;
      } finally {
        openings.delete(opening);
      }
    },
    close: async () => {
      isClosed = true;
      // A run that is being resumed would otherwise start after the runtime is closed.
      await Promise.allSettled(openings);
      await Promise.all([...runs].map(async (run) => await run.suspend(why)));
      await Promise.all(endings);
    },
  };
}

/** Cancels the run when the signal is aborted. Returns a function that stops listening. */
export function cancelOn(signal: AbortSignal | undefined, run: Run): () => void {
  const cancel = (): void => run.send({type: 'user.cancel'});
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, {once: true});
  return () => signal?.removeEventListener('abort', cancel);
}

/** Undefined when there is no listener. */
export function listenerFor(
  id: string,
  {logger, onRule}: RuntimeOptions,
  onEvent: ListenOptions['onEvent'],
): ListenOptions['onEvent'] {
  if (!logger && !onRule) return onEvent;
  return (event) => {
    if (logger) logEvent(logger, id, event);
    if (event.type === 'rule.made') onRule?.(event.rule);
    onEvent?.(event);
  };
}

// Opens a new run: from the options of `start` to the input in its first entry.

/**
 * Returns at once; the run opens in its time slice. Throws AppError `usage`, `config` or `credentials` for options that
 * can't be used. `listenerOf`: the listener of the run with this id.
 */
export function openRun(
  options: StartOptions,
  equipment: Equipment,
  listenerOf: (id: string) => ListenOptions['onEvent'],
): LiveRun {
  const {input, warnings} = newInput(options, equipment);
  const {deps} = equipment;
  deps.snapshots.baselines.begin(input.id);
  const runDeps = {...deps, redactor: deps.redactor.within(input.workspace)};
  const run = new LiveRun(input, runDeps, listenerOf(input.id));
  run.open(async () => await prepared(input, warnings, equipment), options.submission);
  return run;
}

function newInput(
  {
    form,
    request,
    inherited,
    attachments = [],
    settings: given,
    session,
    contextMode = defaultContextMode(checkedRunForm(form)),
    workspace,
    ...goods
  }: StartOptions,
  {config: usual, runConfig, toolboxOf, toolingFor, deps}: Equipment,
): Prepared {
  const {given: own, config, resolved} = runConfig(checkedRunForm(form), given);
  const place = placeOf(workspace, usual);
  if (place === '' && form !== 'ask')
    throw new AppError('usage', `only a question needs no folder; a run of the form ${form} does`);
  const tooling = toolingFor(config, place);
  const fitted = fitAttachments(attachments, config.context.max_attached_bytes);
  const tools = toolboxOf(tooling).infos();
  return {
    input: {
      id: createId(),
      rootName: 'root',
      form,
      contextMode,
      depth: 0,
      request: checkedRequest(request),
      ...(attachments.length > 0 ? {attachments: fitted.attachments} : {}),
      ...(inherited === undefined ? {} : {inherited}),
      ...checkedGoods(goods, form, tools),
      workspace: place,
      ...hostOf({form, workspace: place, ...goods}, deps),
      settings: {...resolved.settings, tools},
      limits: resolved.limits,
      config: recordedConfig(own),
      prices: pricesOf(resolved.models, deps.priceOf),
      tooling,
      ...(session === undefined ? {} : {session: checkedSession(session)}),
    },
    warnings: [...resolved.warnings, ...fitted.warnings],
  };
}

/** An interview whose form is given needs no folder, as discussions and reviews. */
function hostOf(
  {form, workspace, questionnaire}: Pick<OpenedInput, 'form' | 'workspace' | 'questionnaire'>,
  {journal, host}: Equipment['deps'],
): Pick<OpenedInput, 'host'> {
  const {worksInFolder, input} = formTraits[form];
  const needsFolder = worksInFolder === true || (input === 'form' && !questionnaire);
  return needsFolder && workspace !== '' && !journal.host ? {host: host.id} : {};
}

/**
 * Records a new run for a process that claims it. Resolves with its id. Rejects as `openRun` throws, and with AppError `usage`
 * where no other process can claim it.
 */
export async function recordRun(options: StartOptions, equipment: Equipment): Promise<string> {
  const {deps} = equipment;
  const {log, owners} = deps.journal;
  if (!owners.claim)
    throw new AppError('usage', 'no worker can take a run from a journal that one machine has');
  const {input: given, warnings} = newInput(options, equipment);
  const redactor = deps.redactor.within(given.workspace);
  await redactor.refresh();
  const {input} = await prepared(given, warnings, equipment);
  const recorded = redactor.input(asJson(await withContext(input, log)));
  const bodies = [{type: 'opened', input: recorded, version: chartsVersion()}] as const;
  await log.append([{interaction: input.id, bodies, at: Date.now(), seq: 0}]);
  return input.id;
}

/** The workspace of a run; empty for `null`. Throws AppError `usage` for one that does not exist. */
export function placeOf(workspace: string | null | undefined, {agent}: Config): string {
  if (workspace === null) return '';
  return checkedWorkspace(workspace ?? (agent.working_dir || '.'));
}

/** Adds the standing rules that are in force when the run opens. */
async function prepared(
  input: OpenedInput,
  warnings: readonly string[],
  {standingRules, warningsOf, servedWindows}: Equipment,
): Promise<Prepared> {
  const served = await servedWindows(input.settings.windows ?? {});
  const allWarnings = [...warnings, ...(await warningsOf(input)), ...served.warnings];
  const allow = await standingRules(input.workspace, (message) => allWarnings.push(message));
  const settings = {...input.settings, allow, windows: served.windows};
  return {input: {...input, settings}, warnings: allWarnings};
}

export interface Fitted {
  readonly attachments: readonly Attachment[];
  /** One for each attachment that was cut. */
  readonly warnings: readonly string[];
}

/** Cuts the middle out of attachments beyond `maxBytes` in total. A cut attachment no longer counts as a file that was read. */
export function fitAttachments(given: readonly Attachment[], maxBytes: number): Fitted {
  let left = maxBytes;
  const fitted = given.map((attachment) => {
    const {name, text} = attachment;
    const room = left;
    left = Math.max(0, left - text.length);
    return text.length <= room ? attachment : {name, text: cap(text, room)};
  });
  const cut = given.filter((attachment, index) => attachment !== fitted[index]);
  return {
    attachments: fitted,
    warnings: cut.map(
      ({name, text}) =>
        `${name} has ${text.length} bytes and was cut in the middle: ` +
        `context.max_attached_bytes = ${maxBytes} is the limit for all attachments together`,
    ),
  };
}
