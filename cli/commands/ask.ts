/** `quorate ask QUESTION`: a run of the form ask. */

import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';

const options: readonly Option[] = [
  {
    name: 'db',
    takes: 'FILE',
    values: 'file',
    text: 'a SQLite file that may be asked with SELECT (database.path)',
    override: (values) =>
      values.slice(-1).map((value) => ({key: 'database.path', value, source: '--db'})),
  },
  {
    name: 'docs',
    takes: 'GLOB',
    text: 'the documents that search looks into, such as "docs/**/*.md"; repeat it for several (search.paths)',
    override: (value) => [{key: 'search.paths', value, source: '--docs'}],
  },
];

export const ask: Command = {
  operands: {usage: 'QUESTION…', what: 'a question', least: 0, most: Infinity},
  summary:
    'answer a question with tools that only read; --db FILE: a SQLite file, --docs GLOB: documents',
  detail: `Answers a question on stdout, with its sources; the steps go to stderr. Nothing can be changed: tools that write or run
commands do not exist here.

Tools: the workspace's files, a calculator, documents, a database, and, with [web] enabled = true, web pages. A tool that
fails is tried again; if it fails for good, the answer is given without it and says so. [guardrails] bounds and filters
questions and answers. Exit 0 answered, 1 blocked, 3 stopped by a limit.`,
  options,
  obeys: ['output', 'log', 'models', 'limits'],
  roles: ['ask'],
  examples: [
    'quorate ask "Where is the retry limit defined?"',
    'quorate ask --db sales.sqlite "SELECT count(*) FROM orders"',
  ],
  endsWithResult: 'ask',
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    return await startRun('ask', parsed, terminal);
  },
};
