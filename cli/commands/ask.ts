/** `quorate ask QUESTION`: a run of the form ask. */

import {t} from '../../machines/message.ts';
import {switchOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {command} from './define.ts';

const options = {
  db: {
    takes: 'FILE',
    text: t`a SQLite file for SELECT queries (database.path)`,
    override: (values: readonly string[]) =>
      values.slice(-1).map((value) => ({key: 'database.path', value, source: '--db'})),
  },
  docs: {
    takes: 'GLOB',
    text: t`the documents to search, such as "docs/**/*.md"; repeat it for several (search.paths)`,
    override: (value: readonly string[]) => [{key: 'search.paths', value, source: '--docs'}],
  },
  'no-folder': switchOption(
    t`without files, documents and a database: on a shared journal, any worker may answer`,
  ),
};

export const ask = command({
  operands: {usage: 'QUESTION…', what: t`a question`, least: 0, most: Infinity},
  summary: t`answer a question with tools that only read; --db FILE: a SQLite file, --docs GLOB: documents`,
  detail: t`Answers a question on stdout, with its sources; the steps go to stderr. It changes nothing: it has no
tools that write files or run commands.

Tools: the workspace's files, a calculator, documents, a database, and, with [web] enabled = true, web pages. A tool that
fails is tried again; if it fails for good, the answer is given without it and says so. [guardrails] bounds and filters
questions and answers. Exit 0 answered, 1 blocked, 3 stopped by a limit.`,
  options,
  obeys: ['output', 'log', 'detach', 'models', 'limits'],
  roles: ['ask'],
  examples: [
    'quorate ask "Where is the retry limit defined?"',
    'quorate ask --db sales.sqlite "SELECT count(*) FROM orders"',
  ],
  endsWithResult: 'ask',
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    if (!parsed.options['no-folder']) return await startRun('ask', parsed, terminal);
    for (const name of ['db', 'docs'])
      if (name in parsed.flags)
        throw usageError(t`--${name} needs a folder; leave out --no-folder`);
    return await startRun('ask', parsed, terminal, {workspace: null});
  },
});
