/** `quorate serve`: runs over HTTP. */

import type {Command} from '../command.ts';

export const serve: Command = {
  summary: 'serve runs over HTTP: begun, followed and decided by programs',
  detail: `Serves an HTTP API: its owner begins runs of the forms agent, ask and discuss, follows and decides them. It is
described at /docs and /openapi.json. Runs work in the current folder, or that of -C.

The first line on stdout says where it listens. The owner's token is QUORATE_OWNER_TOKEN, or one that is made and printed.
Only this machine is served unless --host names another address, which needs QUORATE_OWNER_TOKEN. A first Ctrl-C suspends
what is at work and ends; the next start goes on.`,
  options: [
    {
      name: 'port',
      takes: 'PORT',
      text: 'where to listen: 8787 unless another is given; 0: any that is free',
    },
    {name: 'host', takes: 'ADDRESS', text: 'at which address: 127.0.0.1 unless another is given'},
    {
      name: 'rate',
      takes: 'N',
      text: 'requests a second from one address in the long run (50); ten seconds’ worth at once',
    },
  ],
  examples: ['quorate serve --port 8080', 'quorate serve --port 0'],
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  run: async (parsed, terminal) => {
    const {serveForms} = await import('../serve/serve.ts');
    return await serveForms(parsed, terminal);
  },
};
