/** `quorate inspect [ID]`: shows runs in a browser, at any moment, with the prompts that models received. */

import {t} from '../../machines/message.ts';
import {oneOrNewest} from '../line/command.ts';
import {switchOption, toPort, valueOption, wordOption} from '../line/option-values.ts';
import {command} from './define.ts';

export const inspectOptions = {
  html: wordOption('FILE', t`write the run to one file that opens without a server; -: stdout`),
  stately: switchOption(t`print the events of @statelyai/inspect instead`),
  port: valueOption('PORT', t`the port to listen at (8788); 0: any free port`, toPort),
  open: switchOption(t`open the page in the browser`),
};

export const inspect = command({
  operands: {...oneOrNewest, usage: '[ID]'},
  summary: t`show runs in a browser: states, votes, prompts, at every moment`,
  detail: t`Serves a page on this machine that shows runs while they work and afterwards: the actors with their states, the chart of
each, the journal, and every vote with its reasons and the prompt that led to it. A slider moves through the run in both
directions; any two moments can be compared. With an ID it opens that run. Anyone with the printed address can read the
runs; decide with quorate resume ID. Ctrl-C ends the page.

--html writes one run to a file that needs no server, for a bug report. --stately prints the run as the events of @statelyai/inspect, one a line. Both take the newest
run of this folder if no ID is given.`,
  options: inspectOptions,
  examples: ['quorate inspect', 'quorate inspect ID --html run.html'],
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  run: async (parsed, terminal) => {
    const {inspectRuns} = await import('../inspect/inspect.ts');
    return await inspectRuns(parsed, terminal);
  },
});
