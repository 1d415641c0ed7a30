/** The full screen of a conversation: a bar of tabs, the panes of the active one, a status, and the line. */

import {
  matchesKey,
  parseKey,
  TuiAltScreen,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from '@earendil-works/pi-tui';
import {type ActorRefFrom, createActor} from 'xstate';

import {isKeyAction, type KeyAction} from '../../actors/config/sections/keys.ts';
import {t} from '../../machines/message.ts';
import type {KeyBinding, Mode} from '../../machines/terminal/keys.ts';
import {modesMachine} from '../../machines/terminal/modes.ts';
import {say} from '../language.ts';
import type {Lines, ScreenSize, Style} from '../render/style.ts';
import type {Terminal} from '../terminal.ts';
import type {Keyboard, KeyboardEvents} from '../terminal/keyboard.ts';
import type {Completion} from '../terminal/line-editor.ts';
import {frameRows} from './frame.ts';
import {keyName} from './keys.ts';
import {
  type Layout,
  type Pane,
  showTab,
  type Tab,
  tabBar,
  type TabFacts,
  withConversation,
} from './layout.ts';
import {Panes} from './panes.ts';
import {PromptLine} from './prompt-line.ts';
import {createScreenTerminal, stopUntilContinued} from './screen-terminal.ts';
import {findRow, plainRow, type Prose} from './transcript.ts';
import {scrolled, selection, withCursor} from './viewport.ts';

/** What the screen asks of the conversation. */
export interface Behaviour {
  readonly complete: (line: string) => Completion;
  /** Completes a command without its colon. */
  readonly completeCommand: (text: string) => Completion;
  readonly factsOf: (tab: Tab) => TabFacts;
  /** See {@link Panes}. */
  readonly rowsOf: (pane: Pane, interaction: string, width: number) => readonly string[];
  readonly titleOf: (pane: Pane, interaction: string | undefined) => string;
  readonly onShown: () => void;
  /** A command without its colon. */
  readonly onCommand: (text: string, begunAt: number) => void;
  /** An action that is not of the screen itself. */
  readonly onAction: (action: KeyAction, count: number | undefined) => void;
}

export interface ScreenOptions {
  readonly style: Style;
  readonly prose: Prose;
  readonly bindings: readonly KeyBinding[];
  /** The newest first. */
  readonly history: readonly string[];
}

export class FullScreen implements Keyboard {
  behaviour: Behaviour = idle;
  /** The row above the line, as of now. */
  status: () => string = () => '';
  readonly panes: Panes;
  readonly style: Style;
  readonly #bindings: readonly KeyBinding[];
  readonly #tui: TuiAltScreen;
  readonly #line: PromptLine;
  /** For commands and the words of a search. */
  readonly #commandLine: PromptLine;
  readonly #modes: ActorRefFrom<typeof modesMachine>;
  #events: KeyboardEvents = {onLine: () => {}, onInterrupt: () => {}, onEnd: () => {}};
  #drawnStatus = '';
  #sought = '';
  #lineRows = 1;
  #isOpen = false;

  constructor(
    {stdin: input, stderr: output, env}: Pick<Terminal, 'stdin' | 'stderr' | 'env'>,
    {style, prose, bindings, history}: ScreenOptions,
  ) {
    this.style = style;
    this.#bindings = bindings;
    const onEnd = (): void => this.#events.onEnd();
    this.#tui = new TuiAltScreen(createScreenTerminal({input, output, env, onEnd}), true);
    this.panes = new Panes({
      style,
      prose,
      room: () => ({width: this.columns, height: this.#tui.terminal.rows - 2 - this.#lineRows}),
      rowsOf: (...asked) => this.behaviour.rowsOf(...asked),
      titleOf: (...asked) => this.behaviour.titleOf(...asked),
      onShown: () => this.behaviour.onShown(),
    });
    this.#line = new PromptLine(this.#tui, {
      style,
      history,
      complete: (line) => this.behaviour.complete(line),
      onLine: (text, begunAt, shown) => {
        this.panes.transcript().print(shown);
        this.panes.follow();
        this.#events.onLine(text, begunAt);
      },
    });
    this.#commandLine = new PromptLine(this.#tui, {
      style,
      complete: (text) =>
        this.mode === 'command' ? this.behaviour.completeCommand(text) : [[], text],
      onLine: (text, begunAt) => this.#enter(text, begunAt),
    });
    this.#modes = createActor(modesMachine, {input: {bindings}}).start();
    this.#modes.on('key.meant', ({action, count}) => this.#act(action, count));
    this.#modes.subscribe(({value}) => this.#select(value === 'visual'));
    this.#tui.addChild({
      render: (width) => this.render(width),
      handleMouse: (event) => this.#mouse(event),
      invalidate: () => this.#line.invalidate(),
    });
    this.#tui.addInputListener((data) => {
      this.press(data);
      this.#tui.requestRender();
      return {consume: true};
    });
  }

  /** Draws from now on. */
  open(events: KeyboardEvents): Keyboard {
    this.#events = events;
    this.takeBack();
    return this;
  }

  get mode(): Mode {
    return this.#modes.getSnapshot().value;
  }

  get columns(): number {
    return this.#tui.terminal.columns;
  }

  /** Columns and rows of the focused pane. */
  size(): ScreenSize {
    const {width, height} = this.panes.focused();
    return {width, height};
  }

  readonly print = (lines: Lines): void => {
    this.panes.transcript().print(lines);
    this.showConversation();
  };

  /** Also where the active tab has only other views. */
  showConversation(): void {
    this.change(withConversation(this.panes.layout));
  }

  readonly show = (prompt: string): void => {
    this.#line.prompt = prompt;
    this.draw();
  };

  readonly letGo = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#tui.stop({preserveScreen: true});
  };

  readonly takeBack = (): void => {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#tui.start();
    this.#tui.setFocus(this.#line);
    // A frame that was due when the screen was left would prevent later ones.
    this.#tui.renderNow(true);
  };

  readonly close = (): void => this.letGo();

  /** Soon, together with what else changes until then. */
  draw(): void {
    if (this.#isOpen) this.#tui.requestRender();
  }

  /** Draws again if the status has changed by itself. Returns false if it has not. */
  drawStatus(): boolean {
    const isStale = this.status() !== this.#drawnStatus;
    if (isStale) this.draw();
    return isStale;
  }

  change(next: Layout): void {
    this.panes.change(next);
    this.draw();
  }

  /** Keys are typed in the line again. */
  type(): void {
    const [key = 'i'] = this.#bindings.find(({action}) => action === 'insert')?.keys ?? [];
    if (this.mode !== 'insert') this.#modes.send({type: 'line.entered'});
    if (this.mode !== 'insert') this.#modes.send({type: 'key.pressed', key});
    this.draw();
  }

  get text(): string {
    return this.#line.getExpandedText();
  }

  set text(text: string) {
    this.#line.setText(text);
    this.draw();
  }

  /** All rows of the screen. */
  render(width: number): string[] {
    const {style, mode} = this;
    const line = this.#rowsOfLine(width);
    this.#lineRows = line.length;
    this.#drawnStatus = this.status();
    const named = mode === 'insert' ? '' : `-- ${mode.toUpperCase()} --`;
    const panes = this.panes.all();
    const {below = 0} = panes.find(({isFocused}) => isFocused) ?? {};
    return frameRows({
      width,
      style,
      line,
      bar: tabBar(this.panes.layout, this.behaviour.factsOf, width),
      panes,
      status: [named, below > 0 ? `↓ ${below}` : '', this.#drawnStatus]
        .filter((part) => part !== '')
        .join(' '),
      isMoving: mode === 'normal' || mode === 'visual',
    });
  }

  /** One key, or a paste between its marks. */
  press(data: string): void {
    if (matchesKey(data, 'ctrl+c')) this.#interrupt();
    else if (matchesKey(data, 'ctrl+z')) stopUntilContinued(this.letGo, this.takeBack);
    else if (matchesKey(data, 'ctrl+d') && this.#isEmpty()) this.#events.onEnd();
    else if (this.#isFastEscape(data)) for (const key of data) this.#pass(key);
    else this.#pass(data);
  }

  #pass(data: string): void {
    const line = this.mode === 'insert' ? this.#line : this.#commandLine;
    const key = parseKey(data);
    const isOfList = key === 'escape' && line.isShowingAutocomplete();
    if (key === undefined || isOfList) {
      if (this.#isTyping()) line.handleInput(data);
      return;
    }
    if (!this.#isTyping()) this.#commandLine.setText('');
    const typed = this.#modes.on('key.typed', () => line.handleInput(data));
    this.#modes.send({type: 'key.pressed', key: keyName(key)});
    typed.unsubscribe();
  }

  /** Esc and the next key, typed so fast that they look like Alt and the key. In the line, some of those have a meaning. */
  #isFastEscape(data: string): boolean {
    const [first, key, more] = data;
    const isAlt = first === '\u001b' && key !== undefined && more === undefined;
    return isAlt && !'[O]'.includes(key) && !(this.#isTyping() && wordKeys.includes(key));
  }

  #isTyping(): boolean {
    return this.mode !== 'normal' && this.mode !== 'visual';
  }

  #rowsOfLine(width: number): readonly string[] {
    const isCommand = this.mode === 'command' || this.mode === 'search';
    this.#line.focused = this.mode === 'insert';
    this.#commandLine.focused = isCommand;
    this.#commandLine.prompt = this.mode === 'search' ? '/' : ':';
    const rows = (isCommand ? this.#commandLine : this.#line).render(width);
    return rows.slice(-Math.max(1, this.#tui.terminal.rows - leastRows));
  }

  #isEmpty(): boolean {
    return this.mode === 'insert' && this.#line.getText() === '';
  }

  #interrupt(): void {
    const wasTyped = this.#line.getText() !== '';
    if (wasTyped) this.panes.transcript().print([this.#line.interrupt()]);
    this.#events.onInterrupt(wasTyped);
  }

  /** A command, or the words of a search. */
  #enter(text: string, begunAt: number): void {
    const isSearch = this.mode === 'search';
    this.#modes.send({type: 'line.entered'});
    if (!isSearch) return this.behaviour.onCommand(text, begunAt);
    if (text !== '') this.#sought = text;
    this.#search(-1);
  }

  #search(by: 1 | -1): void {
    if (this.#sought === '') return;
    this.panes.move((view, extent, rows) => {
      const found = findRow(rows, this.#sought, view.cursor, by);
      if (found === undefined) this.#tui.flash(say(t`not found: ${this.#sought}`, this.style));
      return found === undefined ? view : withCursor(view, found, extent);
    });
  }

  /** Lines are selected from the cursor on, or no longer. */
  #select(isSelecting: boolean): void {
    this.panes.move((view) => {
      if (isSelecting === (view.anchor !== undefined)) return view;
      if (!isSelecting) return {...view, anchor: undefined};
      return {...view, isFollowing: false, anchor: view.cursor};
    });
  }

  /** By OSC 52, which also works over SSH. */
  #copy(): void {
    this.panes.move((view, _, rows) => {
      const [first, last] = selection(view);
      const text = rows
        .slice(first, last + 1)
        .map(plainRow)
        .join('\n');
      this.#tui.terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
      this.#tui.flash(say(t`copied ${last - first + 1} {line|lines}`, this.style));
      return {...view, anchor: undefined};
    });
  }

  #act(action: string, count: number | undefined): void {
    if (!isKeyAction(action)) return;
    const own = this.#actions[action];
    if (own) own(count);
    else this.behaviour.onAction(action, count);
  }

  readonly #moveBy =
    (rows: (height: number, count?: number) => number) =>
    (count?: number): void =>
      this.panes.move((view, extent) =>
        withCursor(view, view.cursor + rows(extent.height, count), extent),
      );

  readonly #scrollBy = (pages: number) => (): void =>
    this.panes.move((view, extent) => scrolled(view, Math.round(extent.height * pages), extent));

  readonly #actions: Partial<Record<KeyAction, (count: number | undefined) => void>> = {
    line_down: this.#moveBy((_, count = 1) => count),
    line_up: this.#moveBy((_, count = 1) => -count),
    half_page_down: this.#moveBy((height) => Math.floor(height / 2)),
    half_page_up: this.#moveBy((height) => -Math.floor(height / 2)),
    page_down: this.#scrollBy(page),
    page_up: this.#scrollBy(-page),
    first_line: (count = 1) =>
      this.panes.move((view, extent) => withCursor(view, count - 1, extent)),
    last_line: () => this.panes.move((view, extent) => withCursor(view, extent.rows, extent)),
    match_next: () => this.#search(-1),
    match_previous: () => this.#search(1),
    fold: () => this.panes.fold(),
    copy: () => this.#copy(),
    copy_line: () => this.#copy(),
    history: () => this.#line.recall(),
  };

  /** A click chooses a tab or a pane, the wheel scrolls. Nothing is decided. */
  #mouse({type, x, y, wheelDelta = 0, width}: TuiMouseEvent): TuiMouseEventResult | undefined {
    const {layout} = this.panes;
    if (type === 'wheel') {
      this.panes.move((view, extent) => scrolled(view, wheelDelta * wheelRows, extent));
      return {handled: true};
    }
    if (type !== 'click') return undefined;
    if (y === 0) {
      const item = tabBar(layout, this.behaviour.factsOf, width).findLast((each) => each.x <= x);
      if (item?.tab !== undefined) this.change(showTab(layout, item.tab));
      return {handled: true};
    }
    const hit = this.panes.at(x, y - 1);
    if (hit) this.change({...layout, active: {...layout.active, focus: hit.id}});
    return {handled: true};
  }
}

const idle: Behaviour = {
  complete: (line) => [[], line],
  completeCommand: (text) => [[], text],
  factsOf: ({form}) => ({title: form, state: 'empty'}),
  rowsOf: () => [],
  titleOf: ({view}) => view,
  onShown: () => {},
  onCommand: () => {},
  onAction: () => {},
};

/** Alt with these moves, deletes and inserts words in the line. */
const wordKeys = 'bfdy\r\u007f';
/** Of the bar, the status, and the panes. */
const leastRows = 5;
const wheelRows = 3;
/** The part of a pane's height by which it scrolls. */
const page = 0.9;
