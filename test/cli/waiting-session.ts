/** A process with a session that runs until it is interrupted; `stubborn`: its run never suspends. */

import {silentLogger} from '../../actors/logger.ts';
import {runSession} from '../../cli/session.ts';
import {processTerminal} from '../../cli/terminal.ts';
import {createFakeRun} from './fake-run.ts';

const run = createFakeRun();
const suspend = async (): Promise<void> => {
  process.stderr.write('asked to suspend\n');
};
const keepAlive = setInterval(() => {}, 1000);
run.report({type: 'phase.changed', phase: 'gathering'});
const isStubborn = process.argv[2] === 'stubborn';
process.exitCode = await runSession(isStubborn ? {...run, suspend} : run, {
  terminal: processTerminal(),
  form: 'agent',
  output: 'text',
  level: 'normal',
  workspace: '/work/here',
  opening: async () => ({tools: [], models: {}}),
  warnings: [],
  logger: silentLogger,
});
clearInterval(keepAlive);
