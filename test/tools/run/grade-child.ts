/**
 * Runs commands as a run would, in the grade that works in this process, and prints the trial and the outcomes as JSON:
 * `node grade-child.ts WORKSPACE COMMAND …`.
 */

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';

const [workspace = '', ...commands] = process.argv.slice(2);
const sandbox = createSandbox({mode: 'auto'});
const toolbox = createToolbox([createRunCommand({sandbox})]);
const context = {
  workspace,
  signal: new AbortController().signal,
  recovering: false,
  onChild: () => {},
};
const outcomes = [];
for (const command of commands) {
  const request = {tool: 'run_command', args: {command}, workspace} as const;
  const preview = await toolbox.preview(request, context);
  outcomes.push({
    preview,
    outcome: await toolbox.run({...request, repeatability: 'once'}, context),
  });
}
process.stdout.write(JSON.stringify({probe: await sandbox.probe(workspace), outcomes}));
