/** Runs a conversation from its beginning to the exit code. */

import {resolve} from 'node:path';

import type {Logger} from '../../actors/logger.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {t} from '../../machines/message.ts';
import {homeFolder} from '../../tools/home-folder.ts';
import type {LoadedConfig} from '../config/load.ts';
import {say, type Reader} from '../language.ts';
import {levelOf, type Parsed} from '../line/command.ts';
import {logWarning, withLog} from '../log.ts';
import {type Launched, openRuntime} from '../open-runtime.ts';
import {openingOf} from '../past/history.ts';
import {waitingLines} from '../render/result/waiting.ts';
import {oneLine, widthOfText} from '../render/text.ts';
import {warningText} from '../render/warning.ts';
import {isInteractive, type Terminal, type Environment} from '../terminal.ts';
import {createAsked} from '../terminal/prompter.ts';
import {version} from '../version.ts';
import {createChatReporter} from './chat-reporter.ts';
import {continueEarlier, type Earlier} from './earlier.ts';
import {formFor} from './interactions.ts';
import {converseFrom, createPipedUi} from './piped.ts';
import {createQuestions, showInConversation} from './questions.ts';
import {type RootEvents, type Roots, createLate, createRoots, isLeft} from './roots.ts';
import {createAttended} from './screen/attended.ts';
import {modelText} from './screen/prompt.ts';
import {configOf, createSettings} from './settings.ts';
import {createFocus, createSessionId, note, type Chat, type Ui} from './talk.ts';

function showWarnings(warnings: Launched['warnings'], ui: Ui, logger: Logger): void {
  for (const warning of warnings) {
    logWarning(logger, warning);
    note(ui, warningText(warning, ui.style), ui.style.yellow);
  }
}

/** `earlier`: the conversation to continue, with the settings of the command line. */
export async function openChat(
  parsed: Parsed,
  terminal: Terminal,
  earlier?: Earlier,
): Promise<number> {
  return await withLog(parsed, terminal.env, async (logger) => {
    const opened = await openRuntime(parsed, terminal, logger);
    const {runtime, journal, workspace} = opened;
    try {
      const cwd = resolve(parsed.cwd ?? '.');
      const {env} = terminal;
      const settings = await createSettings({cwd, env, overrides: parsed.overrides});
      const attended = isInteractive(terminal)
        ? await createAttended(terminal, settings)
        : undefined;
      const ui = attended?.ui ?? createPipedUi(terminal);
      let isLeaving = false;
      const late = createLate((text) => formFor(text, ui.isAttended));
      const reporter = createChatReporter(ui, levelOf(parsed), (): Roots => roots);
      const shown: RootEvents = {
        onBegun: (root) => attended?.onBegun(root),
        onEvent: (root, event, before) => {
          late.onEvent(root, event);
          attended?.onEvent(root, event);
          reporter.onEvent(root, event, before);
          attended?.refresh();
        },
        onResult: (root, result) => {
          if (isLeaving) return;
          const next = ui.isAttended ? late.take(root, result) : [];
          reporter.onResult(root, next.length > 0 ? {...result, unheard: []} : result);
          attended?.refresh();
          void attended?.begin(next, chat);
        },
      };
      const roots = createRoots(runtime, shown, opened.host && runtime);
      const chat = createChat({runtime, journal, workspace, env, ui, roots, settings, late});
      showWarnings(attended ? greet(opened, chat) : opened.warnings, ui, logger);
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

/** Says where the person is, and without a model the ways to one. Returns the warnings that remain. */
function greet({warnings, start}: Launched, {ui, settings, env, workspace}: Chat) {
  const {language} = ui.style;
  const {width} = ui.size();
  note(ui, greetingLine({loaded: settings.loaded(), env, workspace, width, language}));
  for (const step of start?.steps ?? []) note(ui, step);
  return warnings.filter((warning) => warning !== start?.warning);
}

function createChat(
  parts: Omit<Chat, 'asked' | 'focus' | 'session' | 'questions' | 'tools'>,
): Chat {
  const asked = createAsked('conversation');
  const focus = createFocus(parts.roots, asked);
  const tools: Chat['tools'] = async (root) => openingOf(await parts.journal.log.read(root)).tools;
  const ground = {...parts, tools, asked, focus, session: createSessionId()};
  return {...ground, questions: createQuestions(ground, showInConversation(ground))};
}

// Ends a conversation: suspends running interactions and prints how to continue them.

const waitingCode = 4;
/** For an interaction that was suspended while it worked. */
const interruptedCode = 130;

/**
 * Resolves with the exit code: with a person present, that of the suspended interactions; else the last one of an interaction
 * that is not 0. `unread`: the text printed last.
 */
async function endConversation(chat: Chat, unread = ''): Promise<number> {
  const {roots, questions, ui} = chat;
  const asking = new Set(
    [...questions.gates(), ...questions.interviews()].map(({root}) => root.id),
  );
  await Promise.all(
    roots
      .working()
      .map(async ({id, run}) => await run.suspend(asking.has(id) ? 'waiting' : 'interrupted')),
  );
  const ran = roots.all().flatMap(({run}) => run ?? []);
  const results = await Promise.all(ran.map(async ({result}) => await result));
  printLeft(results, chat);
  if (unread !== '') note(ui, unread);
  const codes = results.map(({exitCode}) => exitCode);
  if (!ui.isAttended) return codes.findLast((code) => code !== 0) ?? 0;
  const left = results.filter(isLeft).map(({exitCode}) => exitCode);
  if (left.includes(waitingCode)) return waitingCode;
  return left.length > 0 ? interruptedCode : 0;
}

function printLeft(results: readonly RunResult[], {ui, roots}: Chat): void {
  const left = results.filter(isLeft);
  if (ui.isAttended && left.length > 0) {
    const of = left.flatMap(({interaction}) => roots.of(interaction) ?? []);
    for (const [session, those] of Map.groupBy(of, (root) => root.session)) {
      const numbers = those.map(({number}) => number).join(', ');
      ui.print([
        say(
          t`${numbers} suspended; continue with: quorate chat --resume ${oneLine(session)}`,
          ui.style,
        ),
      ]);
    }
    return;
  }
  for (const {interaction, waiting} of left) {
    ui.print(
      waiting
        ? waitingLines(interaction, waiting, ui.style)
        : [
            `${say(t`suspended; `, ui.style)}${say(t`continue with`, ui.style)}: quorate resume ${oneLine(interaction)}`,
          ],
    );
  }
}

// The first line of a conversation: version, folder, model, and how to get help.

interface Greeting extends Reader {
  readonly loaded: LoadedConfig;
  readonly env: Environment;
  /** Absolute. */
  readonly workspace: string;
  readonly width: number;
}

/** `quorate 0.1.0 · ~/app · offline model (no key) · /help`. The start of the folder is cut when the row is too short. */
function greetingLine({loaded, env, workspace, width, ...reader}: Greeting): string {
  const name = `quorate ${version()}`;
  const model = modelText(loaded, env, reader);
  const folder = oneLine(underHome(workspace, homeFolder(env['HOME'])), 1000);
  const room = width - widthOfText([name, '', model, '/help'].join(' · '));
  return [name, pathEnd(folder, room), model, '/help'].filter((part) => part !== '').join(' · ');
}

function underHome(folder: string, home: string): string {
  if (folder === home) return '~';
  return folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

/** As many of a path's last folders as fit; empty when none does. */
function pathEnd(path: string, room: number): string {
  if (widthOfText(path) <= room) return path;
  const names = path.split('/');
  while (names.length > 0 && widthOfText(names.join('/')) > room - 2) names.shift();
  return names.length === 0 ? '' : `…/${names.join('/')}`;
}
