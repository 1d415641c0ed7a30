/** A command of a person: it runs as it was typed, without a vote, and its record says who approved it. */

import {expect, test} from 'vitest';

import {callHash} from '../../../../machines/domain/tool.ts';
import {commandMachine} from '../../../../machines/forms/command/command.ts';
import {byHand} from '../../../support/by-hand.ts';
import {commandInput} from '../../events/command.ts';

const ready = {kind: 'ready', args: {command: 'npm test'}, preview: '$ npm test'};

test('it runs without a vote, and its output is the result', () => {
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

test('one that exits with an error has failed, with what it printed', () => {
  const command = byHand(commandMachine, commandInput());
  command.settle('preview', ready);
  command.settle('run', {kind: 'failed', code: 'exit', message: 'exited with code 1', text: 'no'});
  expect(command.output()).toMatchObject({
    status: 'failed',
    summary: '$ npm test\nexited with code 1\nno',
    error: {code: 'exit'},
  });
});

test('one of which nobody knows whether it ran asks a person, and is not run again by itself', () => {
  const command = byHand(commandMachine, commandInput());
  command.settle('preview', ready);
  command.settle('run', {kind: 'inDoubt', message: 'who knows'});
  expect(command.requests('askHuman')).toMatchObject([{kind: 'in-doubt'}]);
  command.settle('gate', {decision: 'done'});
  expect(command.output()).toMatchObject({status: 'completed'});
});

test('where commands can not be run, it fails and says so', () => {
  const {settings, ...input} = commandInput();
  const command = byHand(commandMachine, {...input, settings: {...settings, tools: []}});
  expect(command.output()).toMatchObject({
    status: 'failed',
    summary: expect.stringContaining('run_command'),
  });
});
