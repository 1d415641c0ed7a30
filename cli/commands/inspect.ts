/** `quorate inspect [ID]`: shows runs in a browser, at any moment, with the prompts that models received. */

import {t} from '../../machines/message.ts';
import {oneOrNewest, type Command} from '../line/command.ts';

export const inspect: Command = {
  operands: {...oneOrNewest, usage: '[ID]'},
  summary: t`show runs in a browser: states, votes, prompts, at every moment`,
  detail: t`Serves a page on this machine that shows runs while they work and afterwards: the actors with their states, the chart of
each, the journal, and every vote with its reasons and the prompt that led to it. A slider moves through the run in both
directions; any two moments can be compared. With an ID it opens that run. Anyone with the printed address can read the
runs; decide with quorate resume ID. Ctrl-C ends the page.

--html writes one run to a file that needs no server, for a bug report. --stately prints the run as the events of @statelyai/inspect, one a line. Both take the newest
run of this folder if no ID is given.`,
  options: [
    {
      name: 'html',
      takes: 'FILE',
      text: t`write the run to one file that opens without a server; -: stdout`,
    },
    {
      name: 'stately',
      text: t`print the events of @statelyai/inspect instead`,
    },
    {
      name: 'port',
      takes: 'PORT',
      text: t`the port to listen at (8788); 0: any free port`,
    },
    {name: 'open', text: t`open the page in the browser`},
  ],
  examples: ['quorate inspect', 'quorate inspect ID --html run.html'],
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  run: async (parsed, terminal) => {
    const {inspectRuns} = await import('../inspect/inspect.ts');
    return await inspectRuns(parsed, terminal);
  },
};
