/** An interview with a person at a terminal: messages as they come, and a line to answer on. */

import type {Run} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import {eventLines} from '../render/live/events.ts';
import type {Level} from '../render/screen.ts';
import {oneLine} from '../render/text.ts';
import type {OpenScreen} from '../session.ts';
import type {Terminal} from '../terminal.ts';
import {createAsked} from '../terminal/asking.ts';
import type {Dialogue} from '../terminal/dialogue.ts';
import {completeCommand} from '../terminal/line-editor.ts';
import {createPrompter} from '../terminal/prompter.ts';
import {createSurface, type Surface} from '../terminal/surface.ts';
import {commandNames} from './commands.ts';
import {createConversation, recheckMs, type Conversation} from './conversation.ts';
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
const redrawMs = 200;

/** Input and stderr must be terminals. */
export function attendedScreen(options: AttendedOptions): OpenScreen {
  const {terminal, language} = options;
  return ({run, gates, suspend}) => {
    const surface = createSurface(terminal);
    // What was sent and not read yet may withdraw what is asked.
    const asked = (): OpenAsk | undefined =>
      run.atWork().length > 0 ? undefined : gates.asks()[0];
    const conversation = createConversation({
      asked,
      interview: () => run.interview(),
      reply: (replied) => run.send(replied),
      print: surface.print,
      style: surface.style,
      width: () => surface.size().width,
      ...(language === undefined ? {} : {language}),
    });
    const ground = {...options, run, surface, conversation};
    const person = createAsked('one-by-one');
    const prompter = createPrompter(interviewDialogue(ground, asked, suspend), {
      asked: person,
      surface,
      input: terminal.stdin,
      isKeyboardLent: false,
    });
    /** An effect may end without an event. */
    const recheck = (): void => {
      if (person.getSnapshot().context.current === undefined) prompter.refresh();
    };
    const timer = setInterval(recheck, recheckMs);
    followWork(ground, asked);
    const close = async (): Promise<void> => {
      clearInterval(timer);
      await prompter.close();
      surface.close();
    };
    return {progress: interviewProgress(ground), prompter: {...prompter, close}};
  };
}

interface Ground extends AttendedOptions {
  readonly run: Run;
  readonly surface: Surface;
  readonly conversation: Conversation;
}

interface InterviewQuestion extends AskedQuestion {
  readonly open: OpenAsk;
}

function interviewDialogue(
  ground: Ground,
  asked: () => OpenAsk | undefined,
  onLeft: (why: 'waiting' | 'interrupted') => void,
): Dialogue<InterviewQuestion> {
  const {run, conversation, surface} = ground;
  /** The key of the message that stands on the screen. */
  let shown: string | undefined;
  const put = ({open: {ask, message, state}}: InterviewQuestion): void => {
    if (ask === shown) return;
    if (shown === undefined) surface.print(beginningLines(ground));
    shown = ask;
    const view = run.interview();
    const text = view && state === 'confirming' ? withoutSecrets(message, view) : message;
    surface.print(messageLines(text, conversation.room()));
  };
  const questions = (): readonly InterviewQuestion[] => {
    const open = asked();
    if (!open) return [];
    return [{key: open.ask, interaction: open.interaction, kind: 'interview', open}];
  };
  return {
    asks: {questions, put},
    prompt: (question) => {
      if (!question) return '';
      const {words} = conversation.room();
      return surface.style.bold(promptOf(question.open, run.interview(), words));
    },
    complete: (line) => completeCommand(line, commandNames),
    hear: async (text) => (conversation.hear(text) === 'left' ? 'left' : undefined),
    onLeft,
  };
}

function beginningLines({run, conversation, isResumed}: Ground): readonly string[] {
  const view = run.interview();
  if (!view) return [];
  const room = conversation.room();
  return [...openingLines(view.questionnaire, room), ...(isResumed ? recapLines(view, room) : [])];
}

/** Says so when the interview is at work for long. */
function followWork({surface, conversation}: Ground, asked: () => OpenAsk | undefined): void {
  /** By `performance.now()`. */
  let askedAt = performance.now();
  surface.follow(() => {
    if (asked()) askedAt = performance.now();
    if (performance.now() - askedAt <= patienceMs) return undefined;
    return oneLine(conversation.room().words.atWork, surface.size().width - 1);
  }, redrawMs);
}

function interviewProgress({run, surface, level}: Ground): ReturnType<OpenScreen>['progress'] {
  const {style, print} = surface;
  const linesFor = (event: ProgressEvent): readonly string[] => {
    const {width} = surface.size();
    if (event.type === 'interview.changed' && event.status === 'done') {
      const {label = event.field} =
        run.interview()?.questionnaire.fields.find(({id}) => id === event.field) ?? {};
      return [style.dim(`  ✓ ${oneLine(label, width - 5)}`)];
    }
    if (event.type === 'interview.submitted') {
      return ['', style.green(textsFor(event.answers.language).submitted), ''];
    }
    if (event.type.startsWith('interview.')) return [];
    const screenLevel = level === 'normal' ? 'warnings' : level;
    return eventLines(event, {style, level: screenLevel, width, isLive: true});
  };
  return {
    show: (event) => print(linesFor(event)),
    note: (line) => print([line]),
    know: () => {},
    told: () => false,
    printed: () => [],
    close: surface.close,
  };
}
