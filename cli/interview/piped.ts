/** An interview whose answers come from a pipe or a file: one line is one message. */

import {messagesIn} from '../chat/piped.ts';
import {styleFor} from '../lines/style.ts';
import type {OpenScreen} from '../session.ts';
import {pageWidthOf, type Terminal} from '../terminal.ts';
import {createConversation, recheckMs} from './conversation.ts';

/**
 * At the end of the input, and at a line that can't be taken, the interview is suspended: what follows was meant for another
 * course of things.
 */
export function pipedScreen({stdin, stderr, env}: Terminal, language?: string): OpenScreen {
  return ({run, openProgress, suspend}) => {
    const progress = openProgress();
    const lines = messagesIn(stdin);
    const {asked, hear} = createConversation({
      run,
      print: (printed) => printed.forEach(progress.note),
      style: styleFor(stderr, env),
      width: () => pageWidthOf(stderr),
      ...(language === undefined ? {} : {language}),
    });
    let isReading = false;
    let isClosed = false;
    const takeNext = async (): Promise<void> => {
      const next = await lines.next();
      isReading = false;
      if (isClosed) return;
      const heard = next.done === true ? 'left' : hear(next.value);
      if (heard === 'left' || heard === 'refused') {
        isClosed = true;
        suspend('waiting');
      } else refresh();
    };
    let timer: NodeJS.Timeout | undefined;
    const refresh = (): void => {
      clearTimeout(timer);
      if (isReading || isClosed) return;
      if (!asked()) {
        timer = setTimeout(refresh, recheckMs);
        return;
      }
      isReading = true;
      void takeNext();
    };
    return {
      progress,
      desk: {
        refresh,
        close: async () => {
          isClosed = true;
          clearTimeout(timer);
          stdin.pause();
        },
      },
    };
  };
}
