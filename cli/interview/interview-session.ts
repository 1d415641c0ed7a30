/** The session options of an interview, new or resumed: its display, and the file of its answers. */

import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {levelOf} from '../line/command.ts';
import type {WithAnswers} from '../line/option-values.ts';
import {oneLine} from '../render/text.ts';
import type {SessionOptions} from '../session.ts';
import {isInteractive, type Terminal, tryToWrite} from '../terminal.ts';
import {checkAnswersFile, writeAnswers} from './answers-file.ts';
import {attendedScreen} from './attended.ts';
import {pipedScreen} from './piped.ts';

export interface Beginning {
  /** BCP 47, until the respondent's language is known. */
  readonly language?: string;
  readonly isResumed?: boolean;
}

/** Rejects with AppError `usage` for a file of answers that can't be written. */
export async function interviewSession(
  parsed: WithAnswers,
  terminal: Terminal,
  {language, isResumed = false}: Beginning,
): Promise<Pick<SessionOptions, 'screen' | 'onResult'>> {
  const file = parsed.options.answers;
  if (file !== undefined) await checkAnswersFile(file);
  const known = language === undefined ? {} : {language};
  const screen = isInteractive(terminal)
    ? attendedScreen({terminal, level: levelOf(parsed), isResumed, ...known})
    : pipedScreen(terminal, {isResumed, ...known});
  if (file === undefined) return {screen};
  return {
    screen,
    onResult: async (result) => {
      const isWritten = await writeAnswers(file, result);
      if (!isWritten || parsed.quiet) return;
      await tryToWrite(
        terminal.stderr,
        `${say(t`the answers are in ${oneLine(file, 300)}`, terminal)}\n`,
      );
    },
  };
}
