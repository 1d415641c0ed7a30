/** `quorate chat`: a conversation, line by line; also the default of `quorate` without words on a terminal. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Earlier} from '../chat/earlier.ts';
import type {Command, Parsed} from '../line/command.ts';

export const chat: Command = {
  summary:
    'a conversation: tasks, questions and discussions side by side; also: quorate alone on a terminal',
  detail: `Reads what is typed, line by line, and goes on with it while it works:

  solo> Fix the broken test in user_service      a task
  solo 1> only the unit tests, please            told to it at its next turn; /replace TEXT begins anew instead
  solo 1> /ask what does the retry limit do?     a question below the task, which is told the answer
  solo 1> /approve                               answers what waits for you
  solo 1> !git status                            runs a shell command of your own, without a vote

/help lists the commands, /help COMMAND tells of one, Tab completes them. A line that ends in \\ goes on; a paste of several
lines is one message. Ctrl-C suspends what works, so that nothing is lost, and once more leaves; /cancel ends it. Ctrl-D and
/quit leave; what works is suspended.

From a pipe or a file each line is taken when the one before it has ended; the first one that can't be done ends it (exit 2),
and so does a question to a person (exit 4). Both say how many lines were not read. The exit code is that of the last that
did not end well. On a terminal: 0, or 4 and 130 when something was left that waits for you or was at work.`,
  operands: {
    usage: '[ID]',
    what: 'the ID of a conversation, with --resume',
    values: 'run',
    least: 0,
    most: 1,
  },
  options: [
    {
      name: 'resume',
      text: 'go on with an earlier conversation, or a run: the one with this ID; without an ID a list is shown',
    },
    {name: 'continue', text: 'go on with the latest conversation of this folder'},
  ],
  obeys: ['log', 'models', 'rule', 'panel', 'phases', 'tasks', 'limits'],
  examples: [
    'quorate chat --ensemble',
    'quorate chat --continue',
    'printf "/scope plan-only\\nAdd a test\\n" | quorate chat',
  ],
  run: async (parsed, terminal) => {
    const earlier = earlierIn(parsed);
    const {openChat} = await import('../chat/open-chat.ts');
    return await openChat(parsed, terminal, earlier);
  },
};

/** Throws AppError `usage`. */
function earlierIn({flags, operands: [id]}: Parsed): Earlier | undefined {
  if (flags['continue']) {
    if (!flags['resume'] && id === undefined) return {kind: 'latest'};
    throw new AppError('usage', '--continue goes on with the latest; another one: --resume ID');
  }
  if (flags['resume']) return id === undefined ? {kind: 'list'} : {kind: 'one', id};
  if (id === undefined) return undefined;
  throw new AppError(
    'usage',
    `quorate chat takes no words but an ID after --resume, not "${id}"; a task is typed in it, or: quorate "${id}"`,
  );
}
