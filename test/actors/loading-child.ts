/** Answers a question in the folder that is named, and prints what was loaded for it: addresses of modules, a line each. */

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
