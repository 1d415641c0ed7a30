/** Opens a new run: from the options of `start` to the input in its first entry. */

import {defaultContextMode} from '../../machines/domain/interaction-form.ts';
import {cap} from '../../machines/domain/text-limits.ts';
import type {Attachment} from '../../machines/prompts/sections.ts';
import type {Config} from '../config/schema.ts';
import type {Equipment} from '../equipment.ts';
import {pricesOf} from '../model/prices.ts';
import type {ListenOptions, StartOptions} from '../runtime-api.ts';
import {createId, type OpenedInput, type Prepared} from './run-input.ts';
import {LiveRun} from './run.ts';
import {
  checkedGoods,
  checkedRequest,
  checkedRunForm,
  checkedSession,
  checkedWorkspace,
} from './validation.ts';

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
  run.open(async () => await prepared(input, warnings, equipment));
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
  const {config, resolved} = runConfig(checkedRunForm(form), given);
  const place = placeOf(workspace, usual);
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
      settings: {...resolved.settings, tools},
      limits: resolved.limits,
      prices: pricesOf(resolved.models, deps.priceOf),
      tooling,
      ...(session === undefined ? {} : {session: checkedSession(session)}),
    },
    warnings: [...resolved.warnings, ...fitted.warnings],
  };
}

/** The workspace of a run. Throws AppError `usage` for one that does not exist. */
export function placeOf(workspace: string | undefined, {agent}: Config): string {
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
