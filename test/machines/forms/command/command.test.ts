/** A command that a person typed: it runs unchanged, without a vote, and its record names the person as the approver. */

import {expect, test} from 'vitest';

import {callHash} from '../../../../machines/domain/tool.ts';
import {commandMachine} from '../../../../machines/forms/command/command.ts';
import {byHand} from '../../../support/by-hand.ts';
import {commandInput} from '../../events/command.ts';

const ready = {kind: 'ready', args: {command: 'npm test'}, preview: '$ npm test'};

test('a command runs without a vote, and its output is the result', () => {
  const command = byHand(commandMachine, commandInput());
  command.settle('preview', ready);
  expect(command.requests('runTool')).toMatchObject([
    {
      tool: 'run_command',
      args: {command: 'npm test'},
      approval: callHash('run_command', {command: 'npm test'}),
    },
  ]);
  expect([...command.requests('screenProposal'), ...command.requests('callModel')]).toEqual([]);
  command.settle('run', {kind: 'succeeded', text: '3 tests pass', exitCode: 0});
  expect(command.output()).toMatchObject({
    status: 'completed',
    summary: '$ npm test\n3 tests pass',
    tasks: [{status: 'succeeded', calls: [{tool: 'run_command', allowedBy: 'person'}]}],
  });
});

test('a command that exits with an error fails, with its output in the summary', () => {
  const command = byHand(commandMachine, commandInput());
  command.settle('preview', ready);
  command.settle('run', {kind: 'failed', code: 'exit', message: 'exited with code 1', text: 'no'});
  expect(command.output()).toMatchObject({
    status: 'failed',
    summary: '$ npm test\nexited with code 1\nno',
    error: {code: 'exit'},
  });
});

test('a command in doubt asks a person, and is not run again automatically', () => {
  const command = byHand(commandMachine, commandInput());
  command.settle('preview', ready);
  command.settle('run', {kind: 'inDoubt', message: 'who knows'});
  expect(command.requests('askHuman')).toMatchObject([{kind: 'in-doubt'}]);
  command.settle('gate', {decision: 'done'});
  expect(command.output()).toMatchObject({status: 'completed'});
});

test('a command fails with the name of the tool when the tool is not available', () => {
  const {settings, ...input} = commandInput();
  const command = byHand(commandMachine, {...input, settings: {...settings, tools: []}});
  expect(command.output()).toMatchObject({
    status: 'failed',
    summary: expect.stringContaining('run_command'),
  });
});
