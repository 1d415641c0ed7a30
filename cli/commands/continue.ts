/** `quorate --continue`: on a terminal the latest conversation of this folder, otherwise its newest open run. */

import type {Command} from '../line/command.ts';
import {isInteractive} from '../terminal.ts';
import {resume} from './resume.ts';

export const continueCommand: Command = {
  ...resume,
  run: async (parsed, terminal) => {
    const isPlain = parsed.output === 'text' && Object.keys(parsed.flags).length === 0;
    if (!isPlain || !isInteractive(terminal)) return await resume.run(parsed, terminal);
    const {openChat} = await import('../chat/open-chat.ts');
    return await openChat(parsed, terminal, {kind: 'latest'});
  },
};
