/** Runs a conversation from its beginning to the exit code. */

import {resolve} from 'node:path';

import {levelOf, type Parsed} from '../line/command.ts';
import {logWarning, withLog} from '../log.ts';
import {openRuntime} from '../open-runtime.ts';
import {warningText} from '../render/warning.ts';
import {isInteractive, type Terminal} from '../terminal.ts';
import {createAsked} from '../terminal/asking.ts';
import {createChatReporter} from './chat-reporter.ts';
import {createFocus, createSessionId, note, type Chat} from './chat.ts';
import {continueEarlier, type Earlier} from './earlier.ts';
import {endConversation} from './end-conversation.ts';
import {greetingLine} from './greeting.ts';
import {converseFrom, createPipedUi} from './piped.ts';
import {createChatQuestions} from './questions/questions.ts';
import {createRoots, type Roots} from './roots.ts';
import {createAttended} from './screen/attended.ts';
import {configOf, createSettings} from './settings.ts';

/** `earlier`: the conversation to continue, with the settings of the command line. */
export async function openChat(
  parsed: Parsed,
  terminal: Terminal,
  earlier?: Earlier,
): Promise<number> {
  return await withLog(parsed, terminal.env, async (logger) => {
    const {runtime, journal, workspace, warnings} = await openRuntime(parsed, terminal, logger);
    try {
      const attended = isInteractive(terminal) ? createAttended(terminal) : undefined;
      const ui = attended?.ui ?? createPipedUi(terminal);
      const cwd = resolve(parsed.cwd ?? '.');
      const {env} = terminal;
      const settings = await createSettings({cwd, env, overrides: parsed.overrides});
      let isLeaving = false;
      const reporter = createChatReporter(ui, levelOf(parsed), (): Roots => roots);
      const roots = createRoots(runtime, {
        onEvent: (root, event, before) => {
          reporter.onEvent(root, event, before);
          attended?.refresh();
        },
        onResult: (root, result) => {
          if (isLeaving) return;
          reporter.onResult(root, result);
          attended?.refresh();
        },
      });
      const chat = createChat({runtime, journal, workspace, env, ui, roots, settings});
      if (attended) {
        const {language} = ui.style;
        const {width} = ui.size();
        note(ui, greetingLine({loaded: settings.loaded(), env, workspace, width, language}));
      }
      for (const warning of warnings) {
        logWarning(logger, warning);
        note(ui, warningText(warning, ui.style), ui.style.yellow);
      }
      const given = parsed.overrides.length > 0 ? configOf(parsed.overrides) : undefined;
      if (earlier) await continueEarlier(earlier, given, chat);
      let unread: string | undefined;
      if (attended) await attended.converse(chat);
      else unread = await converseFrom(terminal, chat);
      isLeaving = true;
      return await endConversation(chat, unread);
    } finally {
      await runtime.close();
    }
  });
}

function createChat(parts: Omit<Chat, 'asked' | 'focus' | 'session' | 'questions'>): Chat {
  const asked = createAsked('conversation');
  const focus = createFocus(parts.roots, asked);
  const ground = {...parts, asked, focus, session: createSessionId()};
  return {...ground, questions: createChatQuestions(ground)};
}
