/**
 * The person at a terminal: which questions are open, and which of them the next line answers.
 *
 * quiet ⇄ asked → obeying → quiet; Ctrl-C → warned → interrupted, or interrupted at once; Ctrl-D → left
 *
 * A person is asked by a gate, which takes commands, or by an interview, which takes any text. One by one (a run, an
 * interview) a question is shown when the one before it is settled; gates come first. In a conversation all questions are
 * shown as they come: a line answers the interview in focus, and commands answer the others by their number. The first question
 * of an interview in or below the focus moves the focus to it.
 *
 *                    a run                     an interview              a conversation
 *   nothing asked    a message to the run      the line is sent back     a task, or a message to the focus
 *   gate             a command decides         a command decides         /approve N decides, text is sent back
 *   interview        the line is the reply     the line is the reply     the reply if in focus, else /answer N
 *   /command         of a run, at any time     of a run, at any time     of the conversation, at any time
 *   Ctrl-C           suspends the run (130)    suspends the run (130)    suspends all runs; a second one leaves
 *   Ctrl-D, hang-up  leaves it waiting (4)     leaves it waiting (4)     suspends what runs, and leaves
 *   outage           the run is suspended      the run is suspended      suspended; the others continue
 *
 * A run that is suspended, or decided elsewhere, settles its questions. Text that was begun before a question was shown does
 * not answer it.
 */

import {assign, setup} from 'xstate';

export interface AskedQuestion {
  /** Unique among the open questions of the terminal. */
  readonly key: string;
  readonly interaction: string;
  readonly kind: 'gate' | 'interview';
}

export interface AskedInput {
  readonly turns: 'one-by-one' | 'conversation';
}

export interface AskedContext extends AskedInput {
  /** The oldest first. */
  readonly questions: readonly AskedQuestion[];
  /** The key of the question that the next line answers. */
  readonly current: string | undefined;
  /** The ID of the interaction that receives text. */
  readonly focus: string | undefined;
  /**
   * Since when text may be meant as an answer, in ms of the clock of the events: of a gate by its key, of an interview, whose
   * questions follow one another, by its interaction.
   */
  readonly since: Readonly<Record<string, number>>;
  /** Lines that are entered and not yet obeyed. */
  readonly lines: number;
}

export type AskedEvent =
  /** `at`: when the question was shown. */
  | {readonly type: 'question.asked'; readonly question: AskedQuestion; readonly at: number}
  | {readonly type: 'question.settled'; readonly key: string}
  | {readonly type: 'focus.changed'; readonly focus: string | undefined}
  | {readonly type: 'line.entered'}
  | {readonly type: 'line.obeyed'}
  /** Ctrl-C where nothing is typed. */
  | {readonly type: 'person.interrupted'}
  /** The person leaves: Ctrl-D, `/quit`. */
  | {readonly type: 'person.left'}
  /** The terminal is gone. */
  | {readonly type: 'terminal.closed'};

export interface AskedOutput {
  readonly why: 'waiting' | 'interrupted';
}

export const askedMachine = setup({
  types: {} as {
    context: AskedContext;
    events: AskedEvent;
    input: AskedInput;
    output: AskedOutput;
  },
  actions: {
    addQuestion: assign(({context, event}) => asked(context, event)),
    dropQuestion: assign(({context, event}) => settled(context, event)),
    moveFocus: assign(({event}) => (event.type === 'focus.changed' ? {focus: event.focus} : {})),
    choose: assign(({context}) => ({current: chosen(context)})),
    countLine: assign(({context}) => ({lines: context.lines + 1})),
    uncountLine: assign(({context}) => ({lines: context.lines - 1})),
  },
  guards: {
    isAsked: ({context}) => context.current !== undefined,
    isQuiet: ({context}) => context.current === undefined,
    isObeyed: ({context}) => context.lines === 0,
    isConversation: ({context}) => context.turns === 'conversation',
  },
}).createMachine({
  id: 'asked',
  context: ({input}) => ({
    ...input,
    questions: [],
    current: undefined,
    focus: undefined,
    since: {},
    lines: 0,
  }),
  initial: 'quiet',
  on: {
    'question.asked': {actions: ['addQuestion', 'choose']},
    'question.settled': {actions: ['dropQuestion', 'choose']},
    'focus.changed': {actions: ['moveFocus', 'choose']},
    'line.entered': {target: '.obeying', actions: 'countLine'},
    'line.obeyed': {actions: 'uncountLine'},
    'person.interrupted': [{guard: 'isConversation', target: '.warned'}, {target: '.interrupted'}],
    'person.left': '.left',
    'terminal.closed': '.left',
  },
  states: {
    quiet: {always: {guard: 'isAsked', target: 'asked'}},
    asked: {always: {guard: 'isQuiet', target: 'quiet'}},
    obeying: {always: {guard: 'isObeyed', target: 'quiet'}},
    warned: {on: {'person.interrupted': 'interrupted'}},
    left: {type: 'final', output: {why: 'waiting'}},
    interrupted: {type: 'final', output: {why: 'interrupted'}},
  },
  output: ({event}) => event.output as AskedOutput,
});

function asked(context: AskedContext, event: AskedEvent): Partial<AskedContext> {
  if (event.type !== 'question.asked') return {};
  const {question, at} = event;
  const {interaction, kind} = question;
  const {turns, questions, focus, since} = context;
  const isFirst = kind === 'interview' && since[interaction] === undefined;
  const movesFocus = turns === 'conversation' && isFirst && isWithin(interaction, focus);
  return {
    questions: [...questions, question],
    since: {[sinceKey(question)]: at, ...since},
    ...(movesFocus ? {focus: interaction} : {}),
  };
}

function settled({questions, since}: AskedContext, event: AskedEvent): Partial<AskedContext> {
  if (event.type !== 'question.settled') return {};
  const {[event.key]: _, ...rest} = since;
  return {questions: questions.filter(({key}) => key !== event.key), since: rest};
}

function sinceKey({key, kind, interaction}: AskedQuestion): string {
  return kind === 'gate' ? key : interaction;
}

/** The current question stays until it is settled; in a conversation it is that of the interview in focus. */
function chosen({turns, questions, current, focus}: AskedContext): string | undefined {
  if (turns === 'conversation') {
    return questions.find(({kind, interaction}) => kind === 'interview' && interaction === focus)
      ?.key;
  }
  if (questions.some(({key}) => key === current)) return current;
  return (questions.find(({kind}) => kind === 'gate') ?? questions[0])?.key;
}

function isWithin(interaction: string, focus: string | undefined): boolean {
  return focus === undefined || interaction === focus || interaction.startsWith(`${focus}.`);
}

/** True if a text started at this time may be the answer to an open question, as the question was already shown. */
export function isSeen(
  {since}: Pick<AskedContext, 'since'>,
  question: AskedQuestion,
  begunAt: number,
): boolean {
  const at = since[sinceKey(question)];
  return at !== undefined && at <= begunAt;
}
