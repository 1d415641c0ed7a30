/** The tools that a loop has brought in: models receive their definitions even if those of others are deferred. */

import type {ToolResult} from '../domain/tool.ts';
import type {Turn} from './turn.ts';

/** The earliest leave. */
const maxFound = 16;

/** Codes of calls whose arguments were invalid: the model needs the definition of the tool. */
const badArguments: ReadonlySet<string> = new Set(['schema', 'bad_args']);

/** Appended, so that the tools before them stay in place: providers cache the beginning of a request. */
export function foundAfter(
  found: readonly string[],
  {calls, settled}: Pick<Turn, 'calls' | 'settled'>,
  offered: readonly string[],
): readonly string[] {
  const wanted = new Set(calls.flatMap(({id}) => broughtIn(settled[id])));
  const added = [...wanted].filter((name) => offered.includes(name) && !found.includes(name));
  return added.length === 0 ? found : [...found, ...added].slice(-maxFound);
}

function broughtIn(result: ToolResult | undefined): readonly string[] {
  if (!result) return [];
  const isMisused = result.status === 'refused' && badArguments.has(result.failure?.code ?? '');
  return isMisused ? [result.tool] : (result.found ?? []);
}
