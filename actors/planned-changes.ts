/** The changes that the calls of a plan would make, previewed against the files as they are. */

import type {PlannedChange} from '../machines/domain/plan-changes.ts';
import type {PlannedCall} from '../machines/domain/plan.ts';
import {textsAt} from '../machines/domain/tool-facts.ts';
import {escapeLine} from '../tools/escape.ts';
import type {Toolbox} from '../tools/index.ts';
import type {ToolContext} from '../tools/tool.ts';

interface PlannedWrite extends PlannedCall {
  readonly path: string;
}

/** Of calls that say which file they write. Never rejects; changes nothing. */
export async function plannedChanges(
  calls: readonly PlannedCall[],
  toolbox: Toolbox,
  context: ToolContext,
): Promise<PlannedChange[]> {
  const writes = calls.flatMap((call): PlannedWrite[] => {
    const tool = toolbox.find(call.tool);
    const [path] = tool?.preview ? textsAt(call.args, tool.writes) : [];
    return path === undefined ? [] : [{...call, path}];
  });
  return await Promise.all(
    writes.map(async (write) => {
      const first = writes.find(({path}) => path === write.path) ?? write;
      return first === write
        ? await changeOf(write, toolbox, context)
        : {task: write.task, preview: laterText(write, first)};
    }),
  );
}

/** An approval covers a later write of the same file: the one before it is part of the plan. */
function laterText({path}: PlannedWrite, first: PlannedWrite): string {
  return `task ${escapeLine(first.task)} also writes ${escapeLine(path)}, so there is no diff yet`;
}

async function changeOf(
  {task, tool, args, path}: PlannedWrite,
  toolbox: Toolbox,
  context: ToolContext,
): Promise<PlannedChange> {
  const {workspace} = context;
  const outcome = await toolbox.preview({tool, args, workspace}, context);
  if (outcome.kind === 'refused') return {task, preview: `no diff: ${outcome.message}`};
  const {basedOn, preview} = outcome;
  if (basedOn === undefined) return {task, preview};
  // The plan has all that a new file holds.
  return {task, basedOn, preview: basedOn === 'absent' ? `${escapeLine(path)} is new` : preview};
}
