/** Previews the changes that the calls of a plan would make to the current files. */

import {normalize, relative, resolve} from 'node:path/posix';

import type {PlannedCall, PlannedChange} from '../../machines/domain/plan.ts';
import {passagesAt, textsAt} from '../../machines/domain/tool-facts.ts';
import {escapeLine} from '../../tools/escape.ts';
import type {Toolbox} from '../../tools/index.ts';
import {sha256} from '../../tools/read/read.ts';
import type {ToolContext} from '../../tools/tool.ts';

interface PlannedWrite extends PlannedCall {
  /** Relative to the workspace, without `.` and `..`. */
  readonly path: string;
  /** The whole content of the file after the call. Absent: unknown, because the call replaces a part of the file. */
  readonly content?: string;
}

/** Matches the digest of no file, so a call that is based on it is always voted on. */
const unseen = 'unseen';

/** Covers calls of tools that declare which file they write. Never rejects; changes nothing. */
export async function plannedChanges(
  calls: readonly PlannedCall[],
  toolbox: Toolbox,
  context: ToolContext,
): Promise<PlannedChange[]> {
  const writes = calls.flatMap((call) => writeOf(call, toolbox, context.workspace));
  return await Promise.all(
    writes.map(async (write, at) => {
      const earlier = writes.slice(0, at).findLast(({path}) => path === write.path);
      return earlier ? laterChange(write, earlier) : await changeOf(write, toolbox, context);
    }),
  );
}

function writeOf(call: PlannedCall, toolbox: Toolbox, workspace: string): PlannedWrite[] {
  const tool = toolbox.find(call.tool);
  const [path] = tool?.preview ? textsAt(call.args, tool.writes) : [];
  if (!tool || path === undefined) return [];
  const inside = path.startsWith('/') ? relative(workspace, resolve(path)) : normalize(path);
  const [content] = tool.replaces === undefined ? passagesAt(call.args, tool.puts) : [];
  return [{...call, path: inside, ...(content === undefined ? {} : {content})}];
}

/** A later write of the same file: an approval covers it only if the file is as the earlier write leaves it. */
function laterChange({task, path}: PlannedWrite, earlier: PlannedWrite): PlannedChange {
  const {content} = earlier;
  return {
    task,
    basedOn: content === undefined ? unseen : sha256(content.toWellFormed()),
    preview: `task ${escapeLine(earlier.task)} also writes ${escapeLine(path)}, so there is no diff yet`,
  };
}

async function changeOf(
  {task, tool, args, path}: PlannedWrite,
  toolbox: Toolbox,
  context: ToolContext,
): Promise<PlannedChange> {
  const {workspace} = context;
  const outcome = await toolbox.preview({tool, args, workspace}, context);
  if (outcome.kind === 'refused') {
    const basedOn = outcome.code === 'not_found' ? 'absent' : unseen;
    return {task, basedOn, preview: `no diff: ${outcome.message}`};
  }
  const {basedOn, preview} = outcome;
  if (basedOn === undefined) return {task, preview};
  // The plan itself contains the whole text of a new file.
  return {task, basedOn, preview: basedOn === 'absent' ? `${escapeLine(path)} is new` : preview};
}
