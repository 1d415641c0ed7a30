/** `quorate serve --forms DIR`: forms filled by conversation, and runs, over HTTP. */

import type {Command} from '../line/command.ts';

export const serve: Command = {
  summary: 'serve forms over HTTP, filled by conversation in a browser (--forms DIR), and runs',
  detail: `People fill the forms of --forms by conversation, in a browser at /f/FORM, FORM being the name of the file, or over an HTTP
API. --forms takes a folder, whose own files are served, or a glob in quotation marks, for forms in several folders; two
files of one name are an error. The owner lists and exports what was submitted, and begins runs of the forms agent, ask and
discuss, which work in the current folder, or in that of -C. The API is described at /docs and /openapi.json.

The first line on stdout is the address. The owner's token, the address of each form and that of /docs follow. The page at /
lists the forms. The owner's token is QUORATE_OWNER_TOKEN, or one that is made and printed; a
respondent's comes with a new submission. Only this machine is served unless --host names another address, which needs
QUORATE_OWNER_TOKEN. A first Ctrl-C suspends what is at work and ends; the next start goes on.`,
  options: [
    {
      name: 'port',
      takes: 'PORT',
      text: 'where to listen: 8787 unless another is given; 0: any that is free',
    },
    {name: 'host', takes: 'ADDRESS', text: 'at which address: 127.0.0.1 unless another is given'},
    {
      name: 'forms',
      takes: 'DIR',
      values: 'folder',
      text: 'the folder of the forms (*.toml, *.json), or a glob such as "forms/**/*.toml"',
    },
    {
      name: 'rate',
      takes: 'N',
      text: 'requests a second from one address in the long run (50); ten seconds’ worth at once',
    },
  ],
  examples: [
    'quorate serve --forms forms/',
    'quorate serve --forms "forms/**/*.toml"',
    'quorate serve --port 0',
  ],
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  run: async (parsed, terminal) => {
    const {serveForms} = await import('../serve/serve.ts');
    return await serveForms(parsed, terminal);
  },
};
