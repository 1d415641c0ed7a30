/** `quorate chat`: a conversation, line by line; also the default of `quorate` without words on a terminal. */

import {t} from '../../machines/message.ts';
import {switchOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import type {Earlier} from '../talk/earlier.ts';
import {command, type Given} from './define.ts';

const options = {
  resume: switchOption(
    t`continue the earlier conversation, or the run, with this ID; without an ID: list them`,
  ),
  continue: switchOption(t`continue the latest conversation of this folder`),
};

export const chat = command({
  summary: t`a conversation: tasks, questions and discussions side by side; also: quorate alone on a terminal`,
  detail: t`Reads lines while tasks run:

  solo> Fix the broken test in user_service      a task
  solo 1> only the unit tests, please            read by it at its next turn; /replace TEXT starts again instead
  solo 1> /ask what does the retry limit do?     a question below the task, which receives the answer
  solo 1> /approve                               answers the question that waits for you
  solo 1> !git status                            runs a shell command of your own, without a vote

On a terminal it fills the screen: each interaction has a tab, Esc and ? show the keys; --plain gives lines.

/help lists the commands, /help COMMAND describes one, Tab completes them. A line that ends in \\ continues in the next one; a
paste of several lines is one message. Ctrl-C suspends running interactions, so that nothing is lost; pressed again, it leaves;
/cancel ends them. Ctrl-D and /quit leave and suspend running interactions.

From a pipe or a file, each line is read when the one before it has ended. The first line that can't be done ends the
conversation (exit 2), and so does a question to a person (exit 4). Both print the number of unread lines. The exit code is
the last one of its interactions that is not 0. On a terminal it is 4 if a suspended interaction waits for you, 130 if one
was running, else 0.`,
  operands: {
    usage: '[ID]',
    what: t`the ID of a conversation, with --resume`,
    least: 0,
    most: 1,
  },
  options,
  obeys: ['log', 'models', 'rule', 'panel', 'phases', 'tasks', 'limits'],
  examples: [
    'quorate chat --ensemble',
    'quorate chat --continue',
    'printf "/scope plan-only\\nAdd a test\\n" | quorate chat',
  ],
  run: async (parsed, terminal) => {
    const earlier = earlierIn(parsed);
    const {openChat} = await import('../talk/open-chat.ts');
    return await openChat(parsed, terminal, earlier);
  },
});

/** Throws AppError `usage`. */
function earlierIn({
  options: {resume, continue: isLatest},
  operands: [id],
}: Given<typeof options>): Earlier | undefined {
  if (isLatest) {
    if (!resume && id === undefined) return {kind: 'latest'};
    throw usageError(t`--continue resumes the latest conversation; another one: --resume ID`);
  }
  if (resume) return id === undefined ? {kind: 'list'} : {kind: 'one', id};
  if (id === undefined) return undefined;
  throw usageError(
    t`quorate chat takes no words except an ID after --resume, not "${id}"; type a task in it, or: quorate "${id}"`,
  );
}
