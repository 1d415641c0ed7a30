/** The tool call: nothing risky runs without approval or beside another risky call, and the result is true. */

import {describe, expect, test} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import {callHash, type ToolInfo} from '../../../machines/domain/tool.ts';
import {actionHash, panelRules} from '../../../machines/loop/action.ts';
import type {ToolCallInput} from '../../../machines/loop/call-state.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {broke, inDoubt, ran, refused, ruling, stumbled} from '../events/outcomes.ts';
import {
  policySeat,
  readFile,
  runCommand,
  smallSettings,
  spawnAsk,
  writeFile,
} from '../events/settings.ts';
import {validated} from '../events/tool-call.ts';

const settings = smallSettings('interactive', [policySeat]);

function start(
  tool: ToolInfo,
  more: Partial<ToolCallInput> = {},
  machine: AnyStateMachine = toolCallMachine,
): ByHand {
  return byHand(machine, {
    call: {id: 'call-1', name: tool.name, args: {path: './x'}},
    tool,
    offered: settings.tools.map(({name}) => name),
    panel: panelRules(settings),
    maxMessageBytes: 1_000,
    retries: {maxRetries: 1, isForAnyFailure: false},
    brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
    background: [],
    ...more,
  });
}

/** A high-risk call, allowed by its panel. */
function approved(tool: ToolInfo, more?: Partial<ToolCallInput>, machine?: AnyStateMachine) {
  const call = start(tool, more, machine);
  call.settle('preview', {kind: 'ready', args: validated, preview: '+y'});
  call.settle('quorum', ruling('approve'));
  return call;
}

const locks = (call: ByHand) => [
  call.requests('lockWorkspace').length,
  call.requests('unlockWorkspace').length,
];

test('a call of low risk runs at once, without vote and without lock', () => {
  const call = start(readFile);
  expect(call.open()).toEqual(['run']);
  call.settle('run', ran);
  expect(call.output()).toMatchObject({callId: 'call-1', result: {status: 'succeeded'}});
  expect(locks(call)).toEqual([0, 0]);
});

test('a call of high risk runs only when approved, with exactly the arguments that were voted on', () => {
  const call = start(writeFile);
  const ready = {kind: 'ready', args: validated, preview: '+y', basedOn: 'absent'} as const;
  call.settle('preview', ready);
  expect(call.requests('runTool')).toEqual([]);
  expect(locks(call)).toEqual([0, 0]);
  call.settle('quorum', ruling('approve'));
  expect(call.requests('screenProposal')).toMatchObject([
    {proposal: {hash: actionHash('write_file', ready)}},
  ]);
  expect(call.requests('runTool')).toMatchObject([
    {args: validated, approval: callHash('write_file', validated), basedOn: 'absent'},
  ]);
});

test('a rejected call does not run, says why, and is in the record', () => {
  const call = start(writeFile);
  call.settle('preview', {kind: 'ready', args: validated, preview: '+y'});
  call.settle('quorum', ruling('reject'));
  expect(call.output()).toMatchObject({
    result: {status: 'rejected', text: expect.stringContaining('the rule says reject')},
  });
  expect(call.requests('runTool')).toEqual([]);
  expect(call.facts()).toContainEqual(
    expect.objectContaining({
      type: 'tool.settled',
      path: expect.stringMatching(/subject$/),
      detail: {denied: expect.objectContaining({tool: 'write_file'})},
    }),
  );
});

test('a tool that is not offered, or a call that cannot be parsed, is refused without a run', () => {
  const unknown = start({...readFile, name: 'reed_file'}, {tool: undefined});
  expect(unknown.output()).toMatchObject({
    result: {status: 'refused', text: expect.stringContaining('read_file')},
  });
  const problem = {id: 'call-1', name: 'read_file', args: {}, problem: 'no JSON'};
  expect(start(readFile, {call: problem}).output()).toMatchObject({
    result: {status: 'refused', text: 'no JSON'},
  });
});

describe('the lock', () => {
  test('is held while a high-risk call runs, and is free after it', () => {
    const call = approved(writeFile);
    expect(locks(call)).toEqual([1, 0]);
    call.settle('run', ran);
    expect(locks(call)).toEqual([1, 1]);
  });

  test('is held between a fault and the next try', () => {
    const call = approved(writeFile);
    call.settle('run', stumbled);
    call.pass('retryPause');
    call.settle('run', ran);
    expect(locks(call)).toEqual([1, 1]);
  });

  test('is free after a call whose time is over', () => {
    const call = approved(writeFile, {timeLeftMs: 1_000});
    call.pass('time.over');
    expect(call.output()).toMatchObject({result: {failure: {code: 'time_limit'}}, ms: 1_000});
    expect(locks(call)).toEqual([1, 1]);
  });

  test('is free after a call that crashed', () => {
    const call = approved(writeFile, {}, withBug(toolCallMachine, {at: 'xstate.done.actor.run'}));
    call.settle('run', ran);
    expect(locks(call)).toEqual([1, 1]);
  });
});

test('a passing fault is tried again after a pause, up to the limit', () => {
  const call = start(readFile);
  call.settle('run', stumbled);
  expect(call.open()).toMatchObject([expect.stringContaining('retryPause')]);
  call.pass('retryPause');
  call.settle('run', stumbled);
  expect(call.output()).toMatchObject({result: {status: 'failed', text: 'not now'}, ms: 2});
  expect(call.requests('runTool')).toHaveLength(2);
  expect(call.reports('tool.retried')).toHaveLength(1);
});

test('a permanent failure is tried again only where every failure is retried', () => {
  const once = start(readFile);
  once.settle('run', broke);
  expect(once.output()).toMatchObject({result: {status: 'failed'}});
  const again = start(readFile, {retries: {maxRetries: 1, isForAnyFailure: true}});
  again.settle('run', broke);
  again.pass('retryPause');
  again.settle('run', ran);
  expect(again.output()).toMatchObject({result: {status: 'succeeded'}});
});

test('a call that must not be repeated is never retried automatically', () => {
  const call = approved(runCommand);
  call.settle('run', stumbled);
  expect(call.output()).toMatchObject({result: {status: 'failed'}});
});

function doubtful(): ByHand {
  const call = approved(runCommand);
  call.settle('run', inDoubt);
  expect(call.requests('askHuman')).toMatchObject([{kind: 'in-doubt'}]);
  return call;
}

describe('in doubt, a person is asked', () => {
  test.each([
    ['done', 'succeeded'],
    ['fail', 'failed'],
  ])('whose decision %s means that it %s, without another run', (decision, status) => {
    const call = doubtful();
    call.settle('person', {decision});
    expect(call.output()).toMatchObject({result: {status}});
    expect(call.requests('runTool')).toHaveLength(1);
  });

  test('whose decision retry runs it once more, under the same lock', () => {
    const call = doubtful();
    call.settle('person', {decision: 'retry'});
    call.settle('run', ran);
    expect(call.output()).toMatchObject({result: {status: 'succeeded'}});
    expect(locks(call)).toEqual([1, 1]);
  });
});

test('a tool that refuses is a refusal, and one that crashes a failure', () => {
  const refusing = start(readFile);
  refusing.settle('run', refused);
  expect(refusing.output()).toMatchObject({result: {status: 'refused', text: 'no'}});
  const crashing = start(readFile);
  crashing.settle('run', crash);
  expect(crashing.output()).toMatchObject({
    result: {status: 'failed', failure: {code: 'internal'}},
  });
});

test('a call that spawns outside of an interaction is refused', () => {
  const call = approved(spawnAsk);
  expect(call.output()).toMatchObject({
    result: {status: 'refused', failure: {code: 'parentNotFound'}},
  });
});

test('its start and its end are reported as they happen', () => {
  const call = start(readFile, {task: 'a'});
  expect(call.reports('tool.called')).toMatchObject([{tool: 'read_file', task: 'a'}]);
  expect(call.reports('tool.settled')).toEqual([]);
  call.settle('run', ran);
  expect(call.reports('tool.settled')).toMatchObject([{status: 'succeeded', task: 'a'}]);
});

test('an unconfined command is marked as such when it starts, and in its result', () => {
  const call = start(runCommand);
  const ready = {
    kind: 'ready',
    args: validated,
    preview: '$ x',
    confinement: 'unconfined',
  } as const;
  call.settle('preview', ready);
  call.settle('quorum', ruling('approve'));
  expect(call.reports('tool.called')).toMatchObject([{confinement: 'unconfined'}]);
  const failed = {kind: 'failed', code: 'exit_nonzero', message: 'no', exitCode: 1} as const;
  const known = {confined: false, written: ['a'], changes: [{path: 'a', added: 1, removed: 0}]};
  call.settle('run', {...failed, ...known});
  expect(call.reports('tool.settled')).toMatchObject([{confined: false, exitCode: 1}]);
  expect(call.output()).toMatchObject({result: {status: 'failed', ...known}});
});
