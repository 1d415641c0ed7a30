/** The questions that interactions ask the person: which of them are asked, and how each is answered. */

import type {HumanDecision} from '../../machines/domain/human.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {isSeen} from '../../machines/terminal/asked.ts';
import {type GatePrompter, createAcceptance, decide, showWhole} from '../gate/decide.ts';
import {answerCommandLines, screenLines} from '../gate/screen.ts';
import {withoutSecrets} from '../interview/screen.ts';
import {say} from '../language.ts';
import {askRows} from '../render/live/interview.ts';
import {proseRows} from '../render/text.ts';
import {placeOf} from '../render/view/session-view.ts';
import {syncQuestions} from '../terminal/prompter.ts';
import type {LiveRoot} from './roots.ts';
import type {Talk} from './talk.ts';
import {askedMeanwhile, notShown} from './undelivered.ts';
import {
  type Asking,
  type Questions,
  type Waiting,
  interviewAt,
  meantGate,
  onlyInterview,
  requireAllowed,
  theRun,
} from './waiting.ts';

/** How a question is shown. `count`: of the open gates. */
export type ShowQuestion = (question: Waiting | Asking, count: number) => void;

/** In one run, questions are asked one after another, gates first; in a conversation, all of them as they come. */
export function createQuestions(talk: Omit<Talk, 'questions'>, show: ShowQuestion): Questions {
  const {asked, focus, ui} = talk;
  const isOneByOne = asked.getSnapshot().context.turns === 'one-by-one';
  const {openGates, openInterviews} = createOpenQuestions(talk, isOneByOne);
  const known = (): readonly string[] => asked.getSnapshot().context.questions.map(({key}) => key);
  const isAsked = ({key}: Waiting | Asking): boolean => !isOneByOne || known().includes(key);
  const gates = (): Waiting[] => openGates().filter(isAsked);
  const interviews = (): Asking[] => openInterviews().filter(isAsked);
  const deciding = createDeciding(talk);
  const refresh = (): void => {
    focus.settle();
    const open = [...openGates(), ...openInterviews()];
    deciding.withdraw(open);
    const before = known();
    const kept = open.filter(({key}) => before.includes(key));
    // A question in a tab is asked when a person sees it.
    const wanted = isOneByOne
      ? [kept[0] ?? open[0]].flatMap((one) => one ?? [])
      : open.filter((one) => kept.includes(one) || (ui.isShown?.(one.interaction) ?? true));
    syncQuestions(asked, wanted, (question) => show(question, openGates().length));
  };
  const requireSeen = (one: Waiting | Asking, begunAt: number, text?: string): void => {
    if (isSeen(asked.getSnapshot().context, one, begunAt)) return;
    throw known().includes(one.key) ? askedMeanwhile(one.place, text) : notShown(one.place);
  };
  const answering = (): Asking | undefined => {
    const {current} = asked.getSnapshot().context;
    return interviews().find(({key}) => key === current);
  };
  const asking = (): Asking => answering() ?? onlyInterview(interviews());
  return {
    gates,
    interviews,
    refresh,
    answering,
    asking,
    showWhole: async (one) => {
      const {signal} = new AbortController();
      await showWhole(prompterFor(one, talk, signal));
    },
    decide: async (decision, rest, begunAt) => {
      const {one, reason} = meantGate(gates(), rest, decision, ui.isShown);
      requireSeen(one, begunAt);
      requireAllowed(one, decision, reason);
      await deciding.decide(one, decision, reason);
      refresh();
    },
    reply: (text, place, begunAt) => {
      const one = place === undefined ? asking() : interviewAt(interviews(), place);
      requireSeen(one, begunAt, text);
      one.root.gates.reply({type: 'person.replied', ask: one.open.ask, text});
    },
  };
}

/** The gate that a command is about while it runs, such as one that is edited. */
function createDeciding(talk: Pick<Talk, 'ui' | 'env' | 'tools'>) {
  const {ui} = talk;
  const accept = createAcceptance((text) => ui.print([text]), ui.style);
  let current: {readonly key: string; readonly controller: AbortController} | undefined;
  return {
    /** Ends the command when its gate was settled elsewhere. */
    withdraw: (open: readonly Pick<Waiting, 'key'>[]): void => {
      if (current && !open.some(({key}) => key === current?.key)) current.controller.abort();
    },
    decide: async (
      one: Waiting,
      decision: HumanDecision['decision'],
      rest: string,
    ): Promise<void> => {
      const controller = new AbortController();
      current = {key: one.key, controller};
      const answer = await decide({decision, rest}, prompterFor(one, talk, controller.signal));
      current = undefined;
      if (answer) accept(one.root.gates, one.open.gate, answer);
    },
  };
}

function createOpenQuestions({roots, ui}: Pick<Talk, 'roots' | 'ui'>, isOneByOne: boolean) {
  const placeIn = (root: LiveRoot, id: string): string =>
    isOneByOne && id === root.id ? say(theRun, ui.style) : placeOf(roots.view(), id);
  // Sent text that is unread may withdraw the open question.
  const isBusy = ({form, run}: LiveRoot): boolean =>
    isOneByOne && converses(form) && run.atWork().length > 0;
  return {
    openGates: (): Waiting[] =>
      roots.working().flatMap((root) => gatesIn(root, (id) => placeIn(root, id))),
    openInterviews: (): Asking[] =>
      roots.working().flatMap((root) => (isBusy(root) ? [] : interviewsIn(root, {roots}))),
  };
}

/** One gate for each interaction. Gates of several roots may have the same name. */
function gatesIn(root: LiveRoot, placeIn: (id: string) => string): Waiting[] {
  const asking = new Set<string>();
  return root.gates.shownGates().flatMap((open) => {
    const {interaction, gate} = open;
    if (asking.has(interaction)) return [];
    asking.add(interaction);
    const place = placeIn(interaction);
    return [{key: `${root.id} gate ${gate}`, kind: 'gate', interaction, root, place, open}];
  });
}

function interviewsIn(root: LiveRoot, {roots}: Pick<Talk, 'roots'>): Asking[] {
  return root.gates.asks().map((open) => {
    const {interaction, ask} = open;
    const place = placeOf(roots.view(), interaction);
    return {key: `${root.id} interview ${ask}`, kind: 'interview', interaction, root, place, open};
  });
}

/** In a conversation. Without a person present, open gates are printed at the end. */
export function showInConversation(talk: Omit<Talk, 'questions'>): ShowQuestion {
  return (question, count) => {
    if (question.kind === 'interview') showInterview(question, talk);
    else if (talk.ui.isAttended) showGate(question, talk, count > 1);
  };
}

type Shown = Pick<Talk, 'roots' | 'focus' | 'ui' | 'workspace'>;

function showGate(
  {open: {question}, place, interaction}: Waiting,
  {ui, workspace}: Shown,
  isOneOfSeveral: boolean,
): void {
  const commands = answerCommandLines(question, ui.style, isOneOfSeveral ? place : undefined);
  const by = {place, commands, isWhole: ui.isShown !== undefined};
  const {style} = ui;
  ui.print(
    (width) => ['', ...screenLines(question, workspace, style, {...ui.size(), width}, by)],
    interaction,
  );
}

function showInterview(question: Asking, {roots, focus, ui}: Shown): void {
  const {place, interaction} = question;
  const isInFocus = focus.get()?.id === interaction;
  const name = roots.working().length === 1 && isInFocus ? '' : place;
  const hint = say(
    t`/answer ${place} TEXT answers it; after /focus ${place}, typed text does`,
    ui.style,
  );
  const message = shownMessage(question);
  ui.print(
    (width) => [
      ...askRows(message, {style: ui.style, width, name}),
      ...(isInFocus ? [] : proseRows(hint, width, '  ').map(ui.style.dim)),
    ],
    interaction,
  );
}

/** The table of answers without the secret ones. */
export function shownMessage({root, open: {message, state, interaction}}: Asking): string {
  const view = state === 'confirming' ? root.run.interview(interaction) : undefined;
  return view ? withoutSecrets(message, view) : message;
}

function prompterFor(
  {open, root}: Waiting,
  {ui, env, tools}: Pick<Talk, 'ui' | 'env' | 'tools'>,
  signal: AbortSignal,
): GatePrompter {
  const {isShown, size} = ui;
  return {
    ...ui,
    // A tab scrolls: nothing is shown page by page.
    size: () => (isShown ? {...size(), height: Number.POSITIVE_INFINITY} : size()),
    question: open.question,
    env,
    tools: async () => await tools(root.id),
    signal,
  };
}
