/** The calls of a task, or outside of tasks. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import type {CallView, RunView} from './run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;
type Calls = readonly CallView[];
type Change = (calls: Calls) => Calls;

export function startCall({tool, summary, confinement, at}: Of<'tool.called'>): Change {
  const call = {tool, summary, state: 'running', message: '', retries: 0, startedAt: at};
  return (calls) => [...calls, confinement ? {...call, confinement} : call];
}

/** Commands that run now, in all interactions. */
export function runningCommands({tasks, interactions}: RunView): readonly CallView[] {
  return [...tasks, ...interactions]
    .flatMap(({calls}) => calls)
    .filter(({state, confinement}) => state === 'running' && confinement !== undefined);
}

/** A refused call has never begun. */
export function settleCall({tool, status, message}: Of<'tool.settled'>): Change {
  return (calls) => {
    const place = runningIndex(calls, tool);
    const change = {state: status, message};
    if (place < 0) return [...calls, {tool, summary: '', retries: 0, ...change}];
    return changeAt(calls, place, change);
  };
}

export function retryCall({tool, attempt, message}: Of<'tool.retried'>): Change {
  return (calls) => changeAt(calls, runningIndex(calls, tool), {retries: attempt, message});
}

function changeAt(calls: Calls, place: number, change: Partial<CallView>): Calls {
  const call = calls[place];
  return call ? calls.with(place, {...call, ...change}) : calls;
}

export function cutOff(calls: Calls): Calls {
  if (!calls.some(({state}) => state === 'running')) return calls;
  return calls.map((call) => (call.state === 'running' ? {...call, state: 'cutOff'} : call));
}

/** Of equal parallel calls, the one that began first. */
export function runningIndex(calls: Calls, tool: string): number {
  return calls.findIndex((call) => call.tool === tool && call.state === 'running');
}
