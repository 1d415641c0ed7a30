/** After a page was read, a model may have been told what to do by whoever wrote it. */

import type {LoopStep} from './tool.ts';
import type {ToolCall} from './transcript.ts';

/** The tool by which something could leave the machine unasked: in the address of a page. */
const egress = 'web_fetch';

/**
 * Why a call must not be made, if so: an address that stands neither in the question nor in what was read could carry
 * out what was read.
 */
export function leakProblem(
  {name, args}: ToolCall,
  question: string,
  steps: readonly LoopStep[],
): string | undefined {
  const isTainted = steps.some(({tool, status}) => tool === egress && status === 'succeeded');
  const {url} = args;
  if (name !== egress || !isTainted || typeof url !== 'string') return undefined;
  if ([question, ...steps.map(({text}) => text)].some((text) => text.includes(url)))
    return undefined;
  return 'Since a page was read, only addresses that stand in the question or in what was read may be fetched.';
}
