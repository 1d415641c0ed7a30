/** `quorate serve --forms DIR`: forms filled by conversation, and runs, over HTTP. */

import {t} from '../../machines/message.ts';
import {toPort, toWhole, usually, valueOption, wordOption} from '../line/option-values.ts';
import {command} from './define.ts';

export const serveOptions = {
  port: usually(
    valueOption('PORT', t`the port to listen at (8787); 0: any free port`, toPort),
    8787,
  ),
  host: usually(wordOption('ADDRESS', t`the address to listen at (127.0.0.1)`), '127.0.0.1'),
  forms: wordOption(
    'DIR',
    t`the folder of the forms (*.toml, *.json), or a glob such as "forms/**/*.toml"`,
  ),
  rate: usually(
    valueOption(
      'N',
      t`average requests a second from one address (50); bursts of ten seconds’ worth`,
      toWhole(1, 1_000_000),
    ),
    50,
  ),
};

export const serve = command({
  summary: t`serve forms over HTTP, filled by conversation in a browser (--forms DIR), and runs`,
  detail: t`People fill the forms of --forms by conversation, in a browser at /f/FORM, FORM being the name of the file, or over an HTTP
API. --forms takes a folder, whose own files are served, or a glob in quotation marks, for forms in several folders; two
files with the same name are an error. The owner lists and exports submissions, and begins runs of the forms agent, ask and
discuss, which work in the current folder, or in that of -C. The API is described at /openapi.json.

The first line on stdout is the address. The owner's token, the address of each form and that of /openapi.json follow. The page at /
lists the forms. The owner's token is QUORATE_OWNER_TOKEN, or a generated one, which is printed; a respondent's token comes
with a new submission. Only this machine is served unless --host names another address, which needs QUORATE_OWNER_TOKEN. A
first Ctrl-C suspends running work and ends; the next start continues it.`,
  options: serveOptions,
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
});
