/** The calls of a task, or outside of tasks. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import type {CallView} from './run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;
type Calls = readonly CallView[];
type Change = (calls: Calls) => Calls;

export function startCall({tool, summary}: Of<'tool.called'>): Change {
  return (calls) => [...calls, {tool, summary, state: 'running', message: '', retries: 0}];
}

/** A refused call has never begun. */
export function settleCall({tool, status, message}: Of<'tool.settled'>): Change {
  return (calls) => {
    const place = runningIndex(calls, tool);
    const change = {state: status, message};
    if (place < 0) return [...calls, {tool, summary: '', retries: 0, ...change}];
    return calls.map((call, index) => (index === place ? {...call, ...change} : call));
  };
}

export function retryCall({tool, attempt, message}: Of<'tool.retried'>): Change {
  return (calls) => {
    const place = runningIndex(calls, tool);
    const change = {retries: attempt, message};
    return calls.map((call, index) => (index === place ? {...call, ...change} : call));
  };
}

export function cutOff(calls: Calls): Calls {
  if (!calls.some(({state}) => state === 'running')) return calls;
  return calls.map((call) => (call.state === 'running' ? {...call, state: 'cutOff'} : call));
}

/** Of equal parallel calls, the one that began first. */
function runningIndex(calls: Calls, tool: string): number {
  return calls.findIndex((call) => call.tool === tool && call.state === 'running');
}
