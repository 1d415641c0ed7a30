/** Answers a question in the given folder, and prints the URLs of the loaded modules, one per line. */

import {registerHooks} from 'node:module';
import {argv, stdout} from 'node:process';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
const {createRuntime} = await import('../../actors/index.ts');
const run = createRuntime({}).start({form: 'ask', request: 'What is 6 * 7?', workspace: argv[2]!});
const {status} = await run.result;
stdout.write([status, ...loaded].join('\n'));
