/** `quorate discuss QUESTION`: a run of the form discuss. */

import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {checkChoice} from '../line/options.ts';

const strategies = ['quorum', 'debate'] as const;

const options: readonly Option[] = [
  {
    name: 'strategy',
    takes: 'STRATEGY',
    values: strategies,
    text: 'quorum: all answer and rank each other\ndebate: one holds a position, another objects (discuss.strategy)',
    override: (values) =>
      values.slice(-1).map((value) => ({
        key: 'discuss.strategy',
        value: checkChoice('--strategy', value, strategies),
        source: '--strategy',
      })),
  },
];

export const discuss: Command = {
  operands: {usage: 'QUESTION…', what: 'a question', least: 0, most: Infinity},
  summary: 'have several models answer, review each other unnamed, and conclude; also: council',
  detail: `Several models answer a question, each alone; then each ranks the answers of the others, without their names and in an
order of its own, and a moderator draws the conclusion. They have no tools: they are given what README, the manifests and the
documents (search.paths) of the folder say of the question, and what is attached. The conclusion goes to stdout.

The models are those of -m participants=a,b,c, else of discuss.participants, else the review models; one may be named
several times. The moderator is -m moderator=d, else discuss.moderator, else the decision model; if it fails, the participant
that was ranked best takes the chair. Two that say the same count as one. One answer is enough to go on; a result that rests
on less than was asked for says so.

As a debate, the first participant takes a position, the second objects, and the moderator rules on each objection, round by
round, until no critical or major one is open. After debate.max_rounds, or a round that moved nothing, a person decides
whether the position stands (--hil).

With no model configured, rules look for benefits, risks, cost and evidence, and quote what they find: no opinion is made up.
Exit 0 concluded, 1 nobody answered or rejected, 2 and 3 (resumable) no model can be called or a limit is reached, 4 waiting.`,
  options,
  obeys: ['output', 'log', 'models', 'panel', 'limits'],
  roles: ['participants', 'moderator'],
  examples: [
    'quorate discuss "Should we move the queue to Postgres?"',
    'quorate discuss "Tabs or spaces?" -m participants=ollama/qwen3,gpt-5.2 -m moderator=claude-sonnet-4.5',
    'quorate discuss --strategy debate "Should we rewrite it in Rust?"',
    'git diff | quorate discuss "Is this worth merging?"',
  ],
  endsWithResult: 'discuss',
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    return await startRun('discuss', parsed, terminal);
  },
};
