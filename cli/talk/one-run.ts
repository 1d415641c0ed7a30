/** One run with its person, as a conversation with one root: at a terminal, where they type while it works, or on a pipe. */

import type {Run} from '../../actors/runtime-api.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {rootIdOf} from '../../machines/tree/path.ts';
import type {OpenGates} from '../gate/decide.ts';
import {commandLines, screenLines} from '../gate/screen.ts';
import {roomFor} from '../interview/at-interview.ts';
import {promptOf} from '../interview/screen.ts';
import {laidOut, type Lines} from '../render/style.ts';
import {advance} from '../render/view/fold.ts';
import {withInteraction} from '../render/view/interactions.ts';
import type {RunView} from '../render/view/run-view.ts';
import {isPipeline, type Terminal} from '../terminal.ts';
import type {Progress} from '../terminal/progress.ts';
import {type Prompter, createAsked, createPrompter} from '../terminal/prompter.ts';
import type {Surface} from '../terminal/surface.ts';
import {obeyLine} from './obey.ts';
import {createQuestions} from './questions.ts';
import type {LiveRoot} from './roots.ts';
import {complete, completingIn} from './screen/prompt.ts';
import {createFocus, type Talk, type Ui} from './talk.ts';
import type {Asking, Waiting} from './waiting.ts';

export interface OneRunOptions {
  readonly run: Run;
  readonly gates: OpenGates;
  readonly form: string;
  /** Absolute: the folder that the run works in. */
  readonly workspace: string;
  readonly env: Terminal['env'];
  /** The tools that an edited plan may use. */
  readonly tools: () => Promise<readonly ToolInfo[]>;
  /** The view of a continued run as it was left. */
  readonly seen: RunView;
}

/** The root of a run that one process shows. */
export interface OneRun extends OneRunOptions {
  readonly root: () => LiveRoot;
  /** Folds an event into the view. */
  readonly record: (event: ProgressEvent) => void;
}

export function createOneRun(options: OneRunOptions): OneRun {
  const {run, gates, form, seen} = options;
  const {id} = run;
  let root: LiveRoot = {
    number: 1,
    id,
    session: id,
    form,
    request: '',
    view: withInteraction(seen, id),
    startedAt: Date.now(),
    run,
    gates,
    isOpen: true,
  };
  return {
    ...options,
    root: () => root,
    record: (event) => {
      root = {...root, view: advance(root.view, event)};
    },
  };
}

/** `show`: shows a question whose turn it is. */
export function talkOn(
  {root, run, workspace, env, tools}: OneRun,
  ui: Ui,
  show: (question: Waiting | Asking, talk: Talk) => void,
): Talk {
  const asked = createAsked('one-by-one');
  const roots: Talk['roots'] = {
    all: () => [root()],
    working: () => [root()],
    of: (id) => (rootIdOf(id) === run.id ? root() : undefined),
    view: () => ({runs: [root().view]}),
  };
  const focus = createFocus(roots, asked);
  const ground = {workspace, env, ui, roots, tools, asked, focus};
  const talk: Talk = {...ground, questions: createQuestions(ground, (one) => show(one, talk))};
  focus.set(run.id);
  return talk;
}

export interface AttendedOptions {
  readonly terminal: Terminal;
  readonly surface: Surface;
  readonly progress: Progress;
  readonly suspend: (why: 'waiting' | 'interrupted') => void;
  /** Shows the messages of an interview; absent: the progress shows them. */
  readonly showMessage?: (question: Asking) => void;
  /** The style of an interview has the language of its respondent. Absent: that of the surface. */
  readonly style?: Surface['style'];
}

const gatePrompt = 'agent-hil> ';
const quietPrompt = '> ';

/** Input and stderr must be terminals. */
export function attend(
  one: OneRun,
  {terminal, surface, progress, suspend, showMessage, style = surface.style}: AttendedOptions,
): Prompter {
  const print = (lines: Lines): void => progress.insert(laidOut(lines, surface.size().width));
  const ui: Ui = {
    ...surface,
    style,
    print,
    report: print,
    isAttended: true,
    isOneScreen: true,
  };
  const talk = talkOn(one, ui, (question, {workspace}) => {
    progress.resume();
    progress.pause();
    if (question.kind === 'interview') return showMessage?.(question);
    print(screenLines(question.open.question, workspace, style, surface.size()));
  });
  const {asked, questions} = talk;
  return createPrompter(
    {
      refresh: () => {
        questions.refresh();
        if (asked.getSnapshot().context.current === undefined) progress.resume();
      },
      prompt: () => promptFor(talk, surface.canRedraw),
      receive: async (text, {begunAt, isEarly}) => {
        // A gate is decided by a line that was entered by itself.
        const isUnseen = isEarly && questions.gates().length > 0;
        const outcome = await obeyLine(text, talk, isUnseen ? Number.NEGATIVE_INFINITY : begunAt);
        const [gate] = questions.gates();
        if (outcome === 'refused' && gate) print(commandLines(gate.open.question, style));
        return outcome === 'left';
      },
      complete: (line) => complete(line, completingIn(talk)),
      onLeft: suspend,
    },
    {asked, surface, input: terminal.stdin, isBorrowed: isPipeline(terminal.stdout)},
  );
}

/** A terminal that can't erase a prompt has none while nothing is asked. */
function promptFor({questions, ui}: Talk, canRedraw: boolean): string {
  if (questions.gates().length > 0) return gatePrompt;
  const asking = questions.answering();
  if (!asking) return canRedraw ? ui.style.dim(quietPrompt) : '';
  const {root, open} = asking;
  const view = root.run.interview(open.interaction);
  return ui.style.bold(promptOf(open, view, roomFor(asking, ui).style));
}
