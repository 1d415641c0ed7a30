/** The questions that a conversation's interactions ask the person: how each is shown and answered. */

import {t} from '../../../machines/message.ts';
import {isSeen} from '../../../machines/terminal/asked.ts';
import {type GatePrompter, createAcceptance, decide, showWhole} from '../../gate/decide.ts';
import {answerCommandLines, screenLines} from '../../gate/screen.ts';
import {withoutSecrets} from '../../interview/screen.ts';
import {say} from '../../language.ts';
import {openingOf} from '../../past/history.ts';
import {askRows} from '../../render/live/interview.ts';
import {proseRows} from '../../render/text.ts';
import {placeOf} from '../../render/view/session-view.ts';
import {syncQuestions} from '../../terminal/asking.ts';
import type {Chat} from '../chat.ts';
import type {LiveRoot} from '../roots.ts';
import {interviewAt, meantGate, onlyInterview, requireAllowed} from './meant.ts';
import {askedMeanwhile, notShown} from './undelivered.ts';
import type {Asking, ChatQuestions, Waiting} from './waiting.ts';

export function createChatQuestions(chat: Omit<Chat, 'questions'>): ChatQuestions {
  const {roots, asked, focus, ui} = chat;
  const accept = createAcceptance((text) => ui.print([text]), ui.style);
  const gates = (): Waiting[] => roots.working().flatMap((root) => gatesIn(root, chat));
  const interviews = (): Asking[] => roots.working().flatMap((root) => interviewsIn(root, chat));
  /** The gate that a command is about while it runs, such as one that is edited. */
  let deciding: {readonly key: string; readonly controller: AbortController} | undefined;
  const refresh = (): void => {
    focus.settle();
    if (deciding && !gates().some(({key}) => key === deciding?.key)) deciding.controller.abort();
    const known = new Set(asked.getSnapshot().context.questions.map(({key}) => key));
    // A question in a tab is asked when a person sees it.
    const open = [...gates(), ...interviews()].filter(
      ({key, interaction}) => known.has(key) || (ui.isShown?.(interaction) ?? true),
    );
    syncQuestions(asked, open, (question) => put(question, chat, gates().length));
  };
  const requireSeen = (one: Waiting | Asking, begunAt: number, text?: string): void => {
    const {context} = asked.getSnapshot();
    if (isSeen(context, one, begunAt)) return;
    const isShown = context.questions.some(({key}) => key === one.key);
    throw isShown ? askedMeanwhile(one.place, text) : notShown(one.place);
  };
  const answering = (): Asking | undefined => {
    const {current} = asked.getSnapshot().context;
    return interviews().find(({key}) => key === current);
  };
  return {
    gates,
    interviews,
    refresh,
    answering,
    showWhole: async (one) => {
      const {signal} = new AbortController();
      await showWhole(prompterFor(one, chat, signal));
    },
    decide: async (decision, rest, begunAt) => {
      const {one, reason} = meantGate(gates(), rest, decision, ui.isShown);
      requireSeen(one, begunAt);
      requireAllowed(one, decision);
      const controller = new AbortController();
      deciding = {key: one.key, controller};
      const command = {kind: 'decision', decision, rest: reason} as const;
      const answer = await decide(command, prompterFor(one, chat, controller.signal));
      deciding = undefined;
      if (answer?.kind === 'decided') accept(one.root.gates, one.open.gate, answer.decision);
      refresh();
    },
    reply: (text, place, begunAt) => {
      const all = interviews();
      const one =
        place === undefined ? (answering() ?? onlyInterview(all)) : interviewAt(all, place);
      requireSeen(one, begunAt, text);
      one.root.gates.reply({type: 'person.replied', ask: one.open.ask, text});
    },
  };
}

/** One gate for each interaction. Gates of several roots may have the same name. */
function gatesIn(root: LiveRoot, {roots}: Pick<Chat, 'roots'>): Waiting[] {
  const asking = new Set<string>();
  return root.gates.shownGates().flatMap((open) => {
    const {interaction, gate} = open;
    if (asking.has(interaction)) return [];
    asking.add(interaction);
    const place = placeOf(roots.view(), interaction);
    return [{key: `${root.id} gate ${gate}`, kind: 'gate', interaction, root, place, open}];
  });
}

function interviewsIn(root: LiveRoot, {roots}: Pick<Chat, 'roots'>): Asking[] {
  return root.gates.asks().map((open) => {
    const {interaction, ask} = open;
    const place = placeOf(roots.view(), interaction);
    return {key: `${root.id} interview ${ask}`, kind: 'interview', interaction, root, place, open};
  });
}

type Shown = Pick<Chat, 'roots' | 'focus' | 'ui' | 'workspace'>;

/** `count`: of the open gates. */
function put(question: Waiting | Asking, chat: Shown, count: number): void {
  if (question.kind === 'gate') putGate(question, chat, count > 1);
  else putInterview(question, chat);
}

/** Without a person present, open gates are printed at the end. */
function putGate(
  {open: {question}, place, interaction}: Waiting,
  {ui, workspace}: Shown,
  isOneOfSeveral: boolean,
): void {
  if (!ui.isAttended) return;
  const commands = answerCommandLines(question, ui.style, isOneOfSeveral ? place : undefined);
  const by = {place, commands, isWhole: ui.isShown !== undefined};
  const {style} = ui;
  ui.print(
    (width) => ['', ...screenLines(question, workspace, style, {...ui.size(), width}, by)],
    interaction,
  );
}

function putInterview(question: Asking, {roots, focus, ui}: Shown): void {
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
function shownMessage({root, open: {message, state, interaction}}: Asking): string {
  const view = state === 'confirming' ? root.run.interview(interaction) : undefined;
  return view ? withoutSecrets(message, view) : message;
}

function prompterFor(
  {open, root}: Waiting,
  {ui, env, journal}: Pick<Chat, 'ui' | 'env' | 'journal'>,
  signal: AbortSignal,
): GatePrompter {
  const {isShown, size} = ui;
  return {
    ...ui,
    // A tab scrolls: nothing is shown page by page.
    size: () => (isShown ? {...size(), height: Number.POSITIVE_INFINITY} : size()),
    question: open.question,
    env,
    tools: async () => openingOf(await journal.log.read(root.id)).tools,
    signal,
  };
}
