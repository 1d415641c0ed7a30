/** The files that calls would write, before any of them has run. */

import type {EarlierCall} from '../../machines/domain/tool.ts';
import type {Toolbox} from '../../tools/index.ts';
import type {PendingFiles, ToolContext} from '../../tools/tool.ts';

/** In the order of the calls, each on what those before it leave. What a command writes is not known. Never rejects. */
export async function pendingFiles(
  calls: readonly EarlierCall[],
  toolbox: Pick<Toolbox, 'find' | 'preview'>,
  context: ToolContext,
): Promise<PendingFiles> {
  const {workspace} = context;
  const pending: PendingFiles = new Map();
  for (const {tool, args} of calls) {
    const {writes = [], runs} = toolbox.find(tool) ?? {};
    if (writes.length === 0 || runs) continue;
    // oxlint-disable-next-line no-await-in-loop -- each on the ones before
    await toolbox.preview({tool, args, workspace}, {...context, pending});
  }
  return pending;
}
