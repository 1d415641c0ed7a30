/** Once something was read, a model may have been told what to do by whoever wrote it, and knows what to tell. */

import type {LoopStep} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';

/** The tool by which something could leave the machine unasked: in the address of a page. */
const egress = 'web_fetch';

/** Tools that tell nothing but what they were given. */
const silent: ReadonlySet<string> = new Set(['calculator']);

/** Tools whose text is what others wrote: not a query's own words, not an argument named in an error. */
const quoting: ReadonlySet<string> = new Set([egress, 'read_file', 'grep_search', 'search']);

/**
 * Why a call must not be made, if so: an address that stands neither in the question nor in what was read was made up
 * by the model, and could carry out what it has read.
 */
export function leakProblem(
  {name, args}: ToolCall,
  question: string,
  steps: readonly LoopStep[],
): string | undefined {
  const {url} = args;
  if (name !== egress || typeof url !== 'string') return undefined;
  const read = steps.filter(({tool, status}) => status === 'succeeded' && !silent.has(tool));
  if (read.length === 0) return undefined;
  const quoted = read.flatMap(({tool, text}) => (quoting.has(tool) ? [text] : []));
  if ([question, ...quoted].some((text) => text.includes(url))) return undefined;
  return 'Since something was read, only addresses that stand in the question, in a file or on a page may be fetched.';
}
