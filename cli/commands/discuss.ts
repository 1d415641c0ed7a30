/** `quorate discuss QUESTION`: a run of the form discuss. */

import {t} from '../../machines/message.ts';
import {oneOf, strategies} from '../line/options.ts';
import {command} from './define.ts';

const options = {
  strategy: {
    takes: 'STRATEGY',
    override: oneOf('--strategy', 'discuss.strategy', strategies),
  },
  debate: {
    text: t`one holds a position, another objects, instead of all ranking each other (discuss.strategy)`,
    override: () => [{key: 'discuss.strategy', value: 'debate', source: '--debate'}],
  },
};

export const discuss = command({
  operands: {usage: 'QUESTION…', what: t`a question`, least: 0, most: Infinity},
  summary: t`have several models answer, review each other anonymously, and conclude`,
  detail: t`Several models answer a question, each alone; then each ranks the answers of the others, without their names and in an
order of its own, and a moderator draws the conclusion. They have no tools: they receive the passages of README, the manifests
and the documents (search.paths) of the folder that concern the question, and the attachments. The conclusion goes to stdout.

The models are those of -m participants=a,b,c, else of discuss.participants, else the review models; one may be named
several times. The moderator is -m moderator=d, else discuss.moderator, else the decision model; if it fails, the participant
that was ranked best replaces it. Two that say the same count as one. One answer is enough to continue; a result that rests
on less than was asked for says so.

As a debate (--debate), the first participant takes a position, the second objects, and the moderator rules on each objection, round by
round, until no critical or major one is open. After debate.max_rounds, or a round without progress, a person decides
whether the position stands (--hil).

Without a configured model, rules look for benefits, risks, cost and evidence, and quote them: they make up no opinion.
Exit 0 concluded, 1 nobody answered or rejected, 2 and 3 (resumable) no model can be called or a limit is reached, 4 waiting.`,
  options,
  obeys: ['output', 'log', 'detach', 'models', 'panel', 'limits'],
  roles: ['participants', 'moderator'],
  examples: [
    'quorate discuss "Should we move the queue to Postgres?"',
    'quorate discuss "Tabs or spaces?" -m participants=ollama/qwen3,gpt-5.2 -m moderator=claude-sonnet-4.5',
    'quorate discuss --debate "Should we rewrite it in Rust?"',
    'git diff | quorate discuss "Is this worth merging?"',
  ],
  endsWithResult: 'discuss',
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    return await startRun('discuss', parsed, terminal);
  },
});
