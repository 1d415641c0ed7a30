/**
 * A run at a terminal: its gates, and the questions of its interviews, are asked one by one, while its progress waits.
 */

import type {OpenGate, Run} from '../../actors/runtime-api.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import {gateCommandNames} from '../gate/command.ts';
import {type GateAnswer, createAcceptance, obeyAtGate} from '../gate/decide.ts';
import type {OpenGates} from '../gate/open-gates.ts';
import {screenLines} from '../gate/screen.ts';
import {commandNames} from '../interview/commands.ts';
import {type Conversation, createConversation} from '../interview/conversation.ts';
import {promptOf, type Room} from '../interview/screen.ts';
import type {Environment} from '../terminal.ts';
import type {Dialogue, LineOutcome} from './dialogue.ts';
import {completeCommand} from './line-editor.ts';
import type {Progress} from './progress.ts';
import type {Surface} from './surface.ts';

interface RunQuestion extends AskedQuestion {
  readonly open: OpenGate | OpenAsk;
}

export interface RunDialogueOptions {
  readonly run: Pick<Run, 'interview'>;
  readonly gates: Pick<OpenGates, 'shownGates' | 'asks' | 'answer' | 'reply'>;
  readonly surface: Surface;
  readonly progress: Pick<Progress, 'note' | 'pause' | 'resume'>;
  readonly suspend: (why: 'waiting' | 'interrupted') => void;
  readonly env: Environment;
  /** Absolute: the folder that the run works in. */
  readonly workspace: string;
  /** The tools that an edited plan may use. */
  readonly tools: () => Promise<readonly ToolInfo[]>;
  /** For a run that is an interview. */
  readonly interview?: RootInterview;
}

export interface RootInterview {
  /** BCP 47, until the respondent's language is known. */
  readonly language?: string;
  /** Shows a message. For interviews below the root, the progress shows it. */
  readonly put: (open: OpenAsk, room: Room) => void;
  /** True while sent text is unread: it may withdraw the open question. */
  readonly isAtWork: () => boolean;
}

const gatePrompt = 'agent-hil> ';

export function createRunDialogue(options: RunDialogueOptions): Dialogue<RunQuestion> {
  const {gates, surface, progress, workspace, run, suspend, interview} = options;
  const {style} = surface;
  const accept = createAcceptance(progress.note, style);
  const receiveAtGate = async (
    text: string,
    gate: OpenGate,
    signal: AbortSignal,
  ): Promise<LineOutcome> => {
    const {env, tools} = options;
    const prompter = {...surface, env, tools, signal, question: gate.question};
    const answer = await obeyAtGate(text, prompter);
    if (answer?.kind === 'decided') accept(gates, gate.gate, answer.decision);
    return answer && leaving(answer);
  };
  return {
    asks: {
      questions: () => [
        ...gates.shownGates().map(gateQuestion),
        ...(interview?.isAtWork() ? [] : gates.asks().map(interviewQuestion)),
      ],
      put: ({open}) => {
        if (!('gate' in open)) return interview?.put(open, conversationOn(open, options).room());
        surface.print(screenLines(open.question, workspace, style, surface.size()));
      },
      onTaken: progress.pause,
      onFreed: progress.resume,
    },
    prompt: (question) => {
      if (!question) return '';
      const {open} = question;
      if ('gate' in open) return gatePrompt;
      const {words} = conversationOn(open, options).room();
      return style.bold(promptOf(open, run.interview(open.interaction), words));
    },
    receive: async (text, {question, signal}) => {
      const open = question?.open;
      if (open && 'gate' in open) return await receiveAtGate(text, open, signal);
      return conversationOn(open, options).receive(text) === 'left' ? 'left' : undefined;
    },
    complete: (line, question) => completeCommand(line, question ? commandsFor(question.open) : []),
    onLeft: suspend,
  };
}

function commandsFor(open: OpenGate | OpenAsk): readonly string[] {
  return 'gate' in open ? gateCommandNames(open.question) : commandNames;
}

function gateQuestion(open: OpenGate): RunQuestion {
  return {key: `gate ${open.gate}`, kind: 'gate', interaction: open.interaction, open};
}

function interviewQuestion(open: OpenAsk): RunQuestion {
  return {key: `interview ${open.ask}`, kind: 'interview', interaction: open.interaction, open};
}

function leaving(answer: GateAnswer): LineOutcome {
  if (answer.kind !== 'suspended') return undefined;
  return answer.why === 'waiting' ? 'left' : 'interrupted';
}

/** For the interview with this open question; without one, for that of the root, which asks nothing at the moment. */
function conversationOn(
  open: OpenAsk | undefined,
  {run, gates, surface, interview}: RunDialogueOptions,
): Conversation {
  const language = interview?.language;
  return createConversation({
    asked: () => open,
    interview: () => run.interview(open?.interaction),
    reply: gates.reply,
    print: surface.print,
    style: surface.style,
    width: () => surface.size().width,
    ...(language === undefined ? {} : {language}),
  });
}
