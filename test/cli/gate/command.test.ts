/** The commands at the gate. */

import {expect, test} from 'vitest';

import {readGateCommand} from '../../../cli/gate/command.ts';

test.each([
  ['/aprove', '; did you mean /approve?'],
  ['/edti', '; did you mean /edit?'],
  ['/hlep', '; did you mean /help?'],
  ['/retry', ''],
])('%s decides nothing and names the nearest command%s', (line, hint) => {
  const problem = `${line} is not a command here${hint}`;
  const allowed = ['approve', 'reject', 'edit'] as const;
  expect(readGateCommand(line, {allowed})).toEqual({kind: 'unknown', problem});
});
