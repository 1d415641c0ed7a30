/** An interview with a person at a terminal: messages as they come, and a line to answer on. */

import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import {eventLines} from '../render/live/events.ts';
import type {Level} from '../render/screen.ts';
import {styleFor} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import type {OpenScreen} from '../session.ts';
import {canRedraw, widthOf, type Terminal} from '../terminal.ts';
import {createLineEditor} from '../terminal/line-editor.ts';
import type {Progress} from '../terminal/progress.ts';
import {commandNames} from './commands.ts';
import {createConversation, recheckMs} from './conversation.ts';
import {messageLines, openingLines, promptOf, recapLines, withoutSecrets} from './screen.ts';

export interface AttendedOptions {
  readonly terminal: Terminal;
  readonly level: Level;
  /** BCP 47, until the respondent has said theirs. */
  readonly language?: string;
  /** It was begun before. */
  readonly isResumed: boolean;
}

/** How long the interview is at work before it is said so. */
const patienceMs = 400;

/** Input and stderr must be terminals. */
export function attendedScreen({terminal, level, isResumed, ...more}: AttendedOptions): OpenScreen {
  return ({run, suspend}) => {
    const {stdin: input, stderr: output, env} = terminal;
    const style = styleFor(output, env);
    const width = (): number => widthOf(output);
    let isOpen = true;
    /** The key of the message that stands on the screen. */
    let shown: string | undefined;
    /** Keys of messages that the events have told of: what comes before them is told first. */
    const told = new Set<string>();
    const print = (lines: readonly string[]): void => {
      if (isOpen) editor.print(lines);
      else output.write(lines.map((line) => `${line}\n`).join(''));
    };
    const conversation = createConversation({run, print, style, width, ...more});
    const {asked, hear, room} = conversation;
    const editor = createLineEditor(
      {input, output, env, history: [], complete},
      {
        onMessage: (text) => {
          if (hear(text) === 'left') suspend('waiting');
          refresh();
        },
        onInterrupt: () => suspend('interrupted'),
        onEnd: () => {
          if (isOpen) suspend('waiting');
        },
      },
    );
    const show = (open: OpenAsk): void => {
      const isFirst = shown === undefined;
      shown = open.ask;
      const view = run.interview();
      if (isFirst && view) {
        print(openingLines(view.questionnaire, room()));
        if (isResumed) print(recapLines(view, room()));
      }
      const {message, state} = open;
      const text = view && state === 'confirming' ? withoutSecrets(message, view) : message;
      print(messageLines(text, room()));
    };
    let timer: NodeJS.Timeout | undefined;
    /** By `performance.now()`. */
    let askedAt = performance.now();
    const refresh = (): void => {
      clearTimeout(timer);
      if (!isOpen) return;
      const open = asked();
      if (!open || !told.has(open.ask)) return wait();
      if (open.ask !== shown) show(open);
      askedAt = performance.now();
      editor.prompt(style.bold(promptOf(open, run.interview(), room().words)));
    };
    const wait = (): void => {
      timer = setTimeout(refresh, recheckMs);
      const isLong = canRedraw(output, env) && performance.now() - askedAt > patienceMs;
      if (isLong) editor.prompt('', style.dim(oneLine(room().words.atWork, width() - 1)));
      else editor.prompt('');
    };
    const close = (): void => {
      clearTimeout(timer);
      if (!isOpen) return;
      isOpen = false;
      editor.close();
    };
    const tell = (event: ProgressEvent): readonly string[] => {
      if (event.type === 'interview.asked') told.add(event.ask);
      if (event.type === 'interview.changed' && event.status === 'done') {
        const {label = event.field} =
          run.interview()?.questionnaire.fields.find(({id}) => id === event.field) ?? {};
        return [style.dim(`  ✓ ${oneLine(label, width() - 5)}`)];
      }
      if (event.type === 'interview.submitted') {
        return ['', style.green(textsFor(event.answers.language).submitted), ''];
      }
      if (event.type.startsWith('interview.')) return [];
      const screenLevel = level === 'normal' ? 'warnings' : level;
      return eventLines(event, {style, level: screenLevel, width: width(), isLive: true});
    };
    const progress: Progress = {
      show: (event) => print(tell(event)),
      note: (line) => print([line]),
      know: () => {},
      told: () => false,
      printed: () => [],
      pause: () => {},
      resume: () => {},
      close,
    };
    return {progress, desk: {refresh, close: async () => close()}};
  };
}

function complete(line: string): readonly [found: readonly string[], part: string] {
  const names = commandNames.map((name) => `/${name}`).filter((name) => name.startsWith(line));
  return [line.startsWith('/') ? names : [], line];
}
