/** Performs a custom tool: checks the places that a call names, and starts its program as a command. */

import type {JsonObject} from '../../machines/domain/json.ts';
import {argvOf, commandText, type ProgramFact} from '../../machines/domain/program.ts';
import {textsAt} from '../../machines/domain/tool-facts.ts';
import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {type Attempt, attempt, errorCode} from '../containment/denial.ts';
import {
  openFolder,
  throwIfLink,
  followInside,
  followNothing,
  partsOf,
} from '../containment/folder.ts';
import {protectedReason} from '../containment/package-files.ts';
import {type CommandArgs, perform, preview, type RunCommandOptions} from '../run/perform.ts';
import type {ToolContext} from '../tool.ts';
import {toPreview} from '../write/change.ts';
import type {CustomTool} from './definition.ts';

/** A tool with everything that its calls need. */
export interface EquippedTool {
  readonly tool: CustomTool;
  readonly program: ProgramFact;
  readonly seconds: number;
  readonly options: RunCommandOptions;
}

export async function performCustom(
  equipped: EquippedTool,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  const job = jobOf(equipped, args, context.workspace);
  if (!job.ok) return job.denial;
  const {tool, seconds, options} = equipped;
  const outcome = await perform(options, job.value, context);
  if (outcome.kind !== 'failed' || outcome.code !== 'timeout') return outcome;
  return {...outcome, message: `${tool.name} ran longer than ${seconds} s and was ended`};
}

export async function previewCustom(
  equipped: EquippedTool,
  args: JsonObject,
  context: ToolContext,
): Promise<PreviewOutcome> {
  const job = jobOf(equipped, args, context.workspace);
  if (!job.ok) return toPreview(job.denial);
  const {tool, options} = equipped;
  const shown = await preview(options, job.value, context);
  if (shown.kind !== 'ready') return shown;
  const reason = textsAt(args, tool.writes)
    .map((path) => protectedReason(path, undefined, '', context.request))
    .find((why) => why !== undefined);
  return {...shown, args, ...(reason === undefined ? {} : {protectedReason: reason})};
}

function jobOf(
  {tool, program, seconds}: EquippedTool,
  args: JsonObject,
  workspace: string,
): Attempt<CommandArgs> {
  const {working_dir: folder, reaches, risk} = tool;
  const looks = [
    ...(folder === undefined ? [] : [startsInside(workspace, folder)]),
    ...textsAt(args, program.paths).map((path) => staysInside(workspace, path)),
  ];
  const outside = looks.find(({ok}) => !ok);
  if (outside?.ok === false) return outside;
  const argv = argvOf(program, args);
  return {
    ok: true,
    value: {
      command: commandText(argv),
      argv,
      ...(folder === undefined ? {} : {working_dir: folder}),
      timeout_secs: seconds,
      isLocal: reaches === 'nothing' || reaches === 'workspace',
      isUnvoted: risk === 'low',
    },
  };
}

/** A folder to start in is not a link: a path that leads out of it would mean another place to the program. */
function startsInside(workspace: string, folder: string): Attempt<void> {
  const parts = partsOf(workspace, folder);
  if (!parts.ok) return parts;
  return attempt(folder, () =>
    followNothing(parts.value, (current) => openFolder(workspace, current).close()),
  );
}

/** Refuses a path that leads out of the workspace by a link. It need not exist. */
function staysInside(workspace: string, path: string): Attempt<void> {
  const parts = partsOf(workspace, path);
  if (!parts.ok) return parts;
  return attempt(path, () => followInside(workspace, parts.value, (at) => lookAt(workspace, at)));
}

function lookAt(workspace: string, parts: readonly string[]): void {
  const [name = '.'] = parts.slice(-1);
  try {
    const folder = openFolder(workspace, parts.slice(0, -1));
    try {
      throwIfLink(folder.reach(name), parts.length - 1);
    } finally {
      folder.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
