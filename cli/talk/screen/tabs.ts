/** The conversation on the full screen: each interaction has a tab, and the active tab has the focus. */

import {type KeyAction, keyBindings} from '../../../actors/config/sections/keys.ts';
import {isSpawnable} from '../../../machines/domain/interaction-form.ts';
import type {Change} from '../../../machines/domain/patch.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {editText} from '../../gate/editor.ts';
import {say} from '../../language.ts';
import {changesIn} from '../../past/history.ts';
import {spinnerText} from '../../render/live/status.ts';
import {oneLine} from '../../render/text.ts';
import {interactionIn, isRunning} from '../../render/view/interactions.ts';
import {findPlace, placeOf, runOf} from '../../render/view/session-view.ts';
import {
  completeScreenCommand,
  readCommand,
  readLine,
  type ScreenCommand,
} from '../../screen/commands.ts';
import type {Behaviour, FullScreen} from '../../screen/full-screen.ts';
import {createFullSurface, type FullSurface} from '../../screen/full-surface.ts';
import {loadHighlight} from '../../screen/highlight.ts';
import {keyHelp} from '../../screen/keys.ts';
import * as layouts from '../../screen/layout.ts';
import {paneLines} from '../../screen/pane-views.ts';
import type {Terminal} from '../../terminal.ts';
import {isYes} from '../../terminal/surface.ts';
import type {ChatCommand} from '../command.ts';
import {type LineReading, parseLine} from '../parse.ts';
import type {LiveRoot, Root} from '../roots.ts';
import type {ChatSettings} from '../settings.ts';
import {note, type Chat, type Ui} from '../talk.ts';
import {type Completing, complete, modelText, screenStatus} from './prompt.ts';

export interface Tabs {
  readonly surface: FullSurface;
  readonly ui: Pick<Ui, 'print' | 'write' | 'stream' | 'prose' | 'isShown' | 'show'>;
  /** Gives a root its tab. */
  readonly onBegun: (root: Root) => void;
  /** Gives a child that begins its tab. */
  readonly onEvent: (root: LiveRoot, event: ProgressEvent) => void;
  /** `running`: of what works; undefined when nothing does. */
  readonly status: (chat: Chat, running: string | undefined) => string;
  /** From now on, keys and commands have their effect. */
  readonly converse: (chat: Chat, turns: Turns) => void;
  /** Performs a command of the screen; returns others, and text in an empty tab as the beginning of its interaction. */
  readonly read: (text: string, isAnswer: boolean) => LineReading | undefined;
}

interface Turns {
  /** After the lines before it. */
  readonly perform: (reading: LineReading, begunAt: number) => void;
  readonly completing: Completing;
  /** Ends the conversation. */
  readonly leave: () => void;
  readonly refresh: () => void;
}

/** Events of a run that the log shows; older ones are left out. */
const maxEvents = 5000;

/** Rejects with AppError `config` for keys that clash. */
export async function createTabs(
  terminal: Terminal,
  settings: ChatSettings,
  history: readonly string[],
): Promise<Tabs> {
  const {keys} = settings.loaded().config;
  const surface = createFullSurface(terminal, {
    bindings: keyBindings(keys),
    history,
    highlight: await loadHighlight(),
  });
  const {screen} = surface;
  const records = createRecords();
  let ground: Ground | undefined;
  const isEnded = (id: string): boolean => {
    const run = ground && runOf(ground.chat.roots.view(), id);
    const one = run && interactionIn(run, id);
    return one !== undefined && !isRunning(one);
  };
  return {
    surface,
    ui: {
      print: surface.print,
      write: surface.write,
      stream: surface.stream,
      prose: surface.prose,
      isShown: (interaction) => screen.panes.isShown(interaction),
      show: (interaction) => showInteraction(interaction, screen),
    },
    onBegun: ({id, form}) => screen.panes.begin({id, form, isOfPerson: true}, isEnded),
    onEvent: (root, event) => {
      records.add(root.id, event);
      if (event.type !== 'interaction.spawned') return;
      const {child, form, by} = event;
      screen.panes.begin({id: child, form, isOfPerson: by === 'person'}, isEnded);
    },
    status: (chat, running) =>
      screenStatus({
        roots: chat.roots.all(),
        shown: chat.roots.of(screen.panes.shown ?? ''),
        head: headOf(chat, running),
        width: screen.columns,
        language: chat.ui.style.language,
      }),
    converse: (chat, turns) => {
      ground = {chat, turns, screen, records, env: terminal.env};
      screen.behaviour = behaviourOf(ground);
      focusShown(ground);
    },
    read: (text, isAnswer) => {
      if (!ground) return parseLine(text, isAnswer);
      const reading = readLine(text, isAnswer);
      if (!('screen' in reading)) return begunInTab(reading, ground);
      performScreen(reading.screen, ground);
      return undefined;
    },
  };
}

function headOf({roots, settings, env, ui}: Chat, running: string | undefined): string {
  if (running === undefined) return modelText(settings.loaded(), env, ui.style);
  return spinnerText(roots.working().map(({view}) => view)) + running;
}

interface Ground {
  readonly chat: Chat;
  readonly turns: Turns;
  readonly screen: FullScreen;
  readonly records: Records;
  readonly env: Terminal['env'];
}

interface Records {
  readonly add: (root: string, event: ProgressEvent) => void;
  readonly events: (root: string) => readonly ProgressEvent[];
}

function createRecords(): Records {
  const events = new Map<string, ProgressEvent[]>();
  return {
    add: (root, event) => {
      if (event.type === 'model.delta' || event.type === 'tool.output') return;
      const own = events.get(root) ?? [];
      own.push(event);
      if (own.length > maxEvents) own.splice(0, own.length - maxEvents);
      events.set(root, own);
    },
    events: (root) => events.get(root) ?? [],
  };
}

function behaviourOf(ground: Ground): Behaviour {
  const {chat, turns, screen, records} = ground;
  const {roots, ui} = chat;
  const nameOf = (id: string): string => placeOf(roots.view(), id);
  const changes = createChanges(chat, () => screen.draw());
  return {
    complete: (line) => complete(line, turns.completing),
    completeCommand: (text) => completeScreenCommand(text, turns.completing),
    factsOf: (tab) => layouts.tabFacts(tab, roots.view()),
    titleOf: ({view}, interaction) =>
      [interaction === undefined ? '' : nameOf(interaction), view === 'talk' ? '' : view]
        .filter((part) => part !== '')
        .join(' '),
    rowsOf: ({view}, interaction, width) => {
      const run = runOf(roots.view(), interaction);
      const root = roots.of(interaction);
      if (view === 'talk' || !run || !root) return [];
      const facts = {
        run,
        interaction,
        events: records.events(root.id),
        changes: view === 'diff' ? changes(root.id, records.events(root.id).length) : [],
        undone: new Set<string>(),
      };
      return paneLines(view, facts, {style: ui.style, width, nameOf});
    },
    onCommand: (text, begunAt) => {
      const reading = readCommand(text);
      if ('screen' in reading) performScreen(reading.screen, ground);
      else turns.perform(reading, begunAt);
    },
    onAction: (action, count) => acting[action]?.(ground, count),
    onShown: () => {
      focusShown(ground);
      turns.refresh();
    },
  };
}

/** The changes of a run, read anew when it has had another event. */
function createChanges(
  {journal}: Chat,
  onRead: () => void,
): (root: string, events: number) => readonly Change[] {
  const read = new Map<string, {readonly events: number; changes: readonly Change[]}>();
  const learn = async (root: string, known: {changes: readonly Change[]}): Promise<void> => {
    known.changes = changesIn((await journal.log.salvage(root)).entries);
    onRead();
  };
  return (root, events) => {
    const last = read.get(root);
    if (last?.events === events) return last.changes;
    const known = {events, changes: last?.changes ?? []};
    read.set(root, known);
    void learn(root, known).catch(() => {});
    return known.changes;
  };
}

/** Typed text is for the interaction of the shown pane; in an empty tab for that of its parent, below which it begins. */
function focusShown({chat, screen}: Ground): void {
  const {active} = screen.panes.layout;
  const parent = layouts.tabsOf(screen.panes.layout).find(({id}) => id === active.parent);
  chat.focus.set(screen.panes.shown ?? parent?.interaction);
  chat.focus.settle();
}

/** Text in an empty tab begins its interaction. */
function begunInTab(reading: LineReading, {screen}: Ground): LineReading {
  const {id, form, interaction, parent} = screen.panes.layout.active;
  if (!reading.ok || interaction !== undefined) return reading;
  const [first, ...more] = reading.commands;
  if (first === undefined) return reading;
  screen.panes.pending = id;
  const isFirst = form === 'agent' && parent === undefined;
  if (first.kind !== 'say' || more.length > 0 || isFirst) return reading;
  return {ok: true, commands: [{kind: 'begin', form, request: first.text}]};
}

type Kind = ScreenCommand['kind'];
type Of<K extends Kind> = Extract<ScreenCommand, {readonly kind: K}>;

/** One entry for each command; the compiler reports a missing one. */
const performing: {readonly [K in Kind]: (command: Of<K>, ground: Ground) => void} = {
  'open-tab': openTab,
  'close-tab': (_, ground) => void closeTab(ground),
  'list-tabs': (_, {screen, chat: {ui, roots}}) => {
    const [{layout}, view] = [screen.panes, roots.view()];
    const factsOf = (tab: layouts.Tab): layouts.TabFacts => layouts.tabFacts(tab, view);
    ui.print((width) => layouts.tabList(layout, factsOf, {style: ui.style, width}));
  },
  split: ({place, view, direction}, {screen, chat: {ui, roots}}) => {
    const interaction = place === undefined ? undefined : findPlace(roots.view(), place);
    if (place !== undefined && interaction === undefined)
      return note(ui, t`there is no ${place}; /tree lists the interactions`, ui.style.yellow);
    const pane = {...(view ? {view} : {}), interaction};
    screen.change(layouts.splitPane(screen.panes.layout, direction, pane));
  },
  only: (_, {screen}) => screen.change(layouts.onlyPane(screen.panes.layout)),
  close: (_, ground) => {
    const {screen, turns} = ground;
    const {layout} = screen.panes;
    if (layouts.panesOf(layout.active.panes).length > 1) screen.change(layouts.closePane(layout));
    else if (layouts.tabsOf(layout).length > 1) void closeTab(ground);
    else turns.leave();
  },
};

function performScreen<K extends Kind>(command: Of<K>, ground: Ground): void {
  const act: (command: Of<K>, ground: Ground) => void = performing[command.kind];
  act(command, ground);
}

function openTab(
  {form, file, isIndependent}: Extract<ScreenCommand, {kind: 'open-tab'}>,
  {screen, turns}: Ground,
): void {
  const {layout} = screen.panes;
  const parent = isIndependent || screen.panes.shown === undefined ? undefined : layout.active.id;
  screen.change(layouts.openTab(layout, {form, file, parent}));
  screen.type();
  if (file === undefined) return;
  screen.panes.pending = screen.panes.layout.active.id;
  const command: ChatCommand = {kind: 'begin', form, request: file};
  turns.perform({ok: true, commands: [command]}, performance.now());
}

/** Closing a tab cancels nothing. */
async function closeTab({screen, chat}: Ground): Promise<void> {
  const {active} = screen.panes.layout;
  const {interaction} = active;
  const {roots, ui} = chat;
  const root = interaction === undefined ? undefined : roots.of(interaction);
  const run = root && interactionIn(root.view, interaction ?? '');
  if (run && isRunning(run)) {
    const place = placeOf(roots.view(), run.id);
    const line = await ui.ask(
      say(t`${place} continues without its tab. Close the tab? [y/N] `, ui.style),
    );
    if (line.kind !== 'line' || !isYes(line.text)) return;
  }
  screen.change(layouts.closeTab(screen.panes.layout, active.id));
}

type Act = (ground: Ground, count: number | undefined) => void;

/** The actions of keys that are not of the screen itself. */
const acting: Readonly<Partial<Record<KeyAction, Act>>> = {
  tab_next: ({screen}, count) => {
    const {layout} = screen.panes;
    screen.change(count === undefined ? layouts.nextTab(layout) : layouts.goToTab(layout, count));
  },
  tab_previous: ({screen}, count) => screen.change(layouts.previousTab(screen.panes.layout, count)),
  tab_waiting: showWaiting,
  tab_ask: (ground) => showNewest('ask', ground),
  tab_discuss: (ground) => showNewest('discuss', ground),
  pane_left: moving('h'),
  pane_down: moving('j'),
  pane_up: moving('k'),
  pane_right: moving('l'),
  pane_next: moving('w'),
  pane_close: ({screen}) => screen.change(layouts.closePane(screen.panes.layout)),
  help: ({chat: {ui, settings}}) => {
    const {keys} = settings.loaded().config;
    ui.print((width) => keyHelp(keys, {style: ui.style, width}));
  },
  editor: (ground) => void editLine(ground),
  solo: setting('/solo'),
  ensemble: setting('/ens'),
  fast: setting('/fast'),
};

function moving(move: layouts.FocusMove): Act {
  return ({screen}) => screen.change(layouts.moveFocus(screen.panes.layout, move, screen.columns));
}

function setting(command: string): Act {
  return ({turns}) => turns.perform(parseLine(command), performance.now());
}

/** A tab that waits, else an interaction that waits and has no tab. */
function showWaiting({screen, chat}: Ground): void {
  const {roots, ui} = chat;
  const waiting = roots
    .working()
    .flatMap(({view}) => [...view.gates, ...view.asks].map(({interaction}) => interaction));
  const {layout} = screen.panes;
  const tab = layouts.firstWaiting(layout, (id) => waiting.includes(id));
  const [first] = waiting;
  if (tab) screen.change(layouts.showTab(layout, tab.id));
  else if (first === undefined) note(ui, t`nothing waits for you`);
  else showInteraction(first, screen);
}

/** A tab that was closed opens again. */
function showInteraction(interaction: string, screen: FullScreen): void {
  const {layout} = screen.panes;
  const tab = layouts.tabOf(layout, interaction);
  const next = tab
    ? layouts.showTab(layout, tab.id)
    : layouts.openTab(layout, {form: 'agent', interaction});
  screen.change(next);
}

function showNewest(form: 'ask' | 'discuss', ground: Ground): void {
  const {screen} = ground;
  const tab = layouts.newestOf(screen.panes.layout, form);
  if (tab) screen.change(layouts.showTab(screen.panes.layout, tab.id));
  else if (isSpawnable(form)) openTab({kind: 'open-tab', form, isIndependent: false}, ground);
}

async function editLine({screen, chat, env}: Ground): Promise<void> {
  const {ui} = chat;
  const edited = await ui.aside(async () => await editText(screen.text, {env, style: ui.style}));
  if (edited.ok) screen.text = edited.text;
  else note(ui, oneLine(edited.problem), ui.style.yellow);
  screen.type();
}
