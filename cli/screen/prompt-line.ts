/** The line that a person types: several rows, history, completion, pasted blocks. The prompt is before its first row. */

import {
  type AutocompleteProvider,
  Editor,
  matchesKey,
  type TUI,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui';

import type {Style} from '../render/style.ts';
import {escapedLines} from '../render/text.ts';
import type {Completion} from '../terminal/line-editor.ts';

export interface PromptLineOptions {
  readonly style: Style;
  /** The newest first. */
  readonly history?: readonly string[];
  readonly complete?: (line: string) => Completion;
  /**
   * `begunAt`: by `performance.now()`, when the text was last changed from an empty one. `shown`: the rows of the prompt and
   * the text, in which a long paste is a mark.
   */
  readonly onLine: (text: string, begunAt: number, shown: readonly string[]) => void;
}

const maxShownWords = 8;
/** A prompt that leaves fewer columns than this has a row of its own. */
const leastRoom = 12;

export class PromptLine extends Editor {
  readonly #complete: (line: string) => Completion;
  readonly #history: string[];
  #prompt = '';
  #shown: readonly string[] = [];
  #sought = '';
  #begunAt = 0;

  constructor(tui: TUI, {style, history = [], complete, onLine}: PromptLineOptions) {
    super(tui, themeOf(style), {autocompleteMaxVisible: maxShownWords});
    this.#complete = complete ?? ((line) => [[], line]);
    this.#history = [...history];
    for (const text of history.toReversed()) this.addToHistory(text);
    this.setAutocompleteProvider(providerOf(this.#complete));
    let before = '';
    this.onChange = (text) => {
      if (before === '' && text !== '') this.#begunAt = performance.now();
      before = text;
    };
    this.onSubmit = (text) => {
      this.addToHistory(text);
      this.#history.unshift(text);
      onLine(text, this.#begunAt, this.#shown);
    };
  }

  /** The prompt and the typed text. */
  get shown(): readonly string[] {
    return (this.#prompt + escapedLines(this.getText()).join('\n')).split('\n');
  }

  /** Discards the typed text. Returns what remains on the screen. */
  interrupt(): string {
    const shown = `${this.shown.join('\n')}^C`;
    this.setText('');
    return shown;
  }

  set prompt(prompt: string) {
    this.#prompt = prompt;
  }

  /** The keys that scroll are those of the screen, not of the library. */
  override get capturesViewportInput(): boolean {
    return true;
  }

  override render(width: number): string[] {
    const columns = visibleWidth(this.#prompt);
    const isAbove = width - columns < leastRoom;
    const rows = super.render(isAbove ? width : width - columns);
    const [, ...below] = rows;
    // Without the borders: the first row, and the one between the text and the list of words.
    const list = this.isShowingAutocomplete() ? below.findLastIndex(isBorder) : below.length - 1;
    const shown = [...below.slice(0, list), ...below.slice(list + 1)].map((row) => row.trimEnd());
    if (isAbove) return [...wrapTextWithAnsi(this.#prompt.trimEnd(), width), ...shown];
    return shown.map((row, index) => (index === 0 ? this.#prompt : ' '.repeat(columns)) + row);
  }

  protected override renderTopBorder(): string {
    return border;
  }

  protected override renderBottomBorder(): string {
    return border;
  }

  /** Enter sends what is typed, never a word of the list: a decision is typed whole. */
  override handleInput(data: string): void {
    if (matchesKey(data, 'tab') && !this.isShowingAutocomplete() && this.#completeWord()) return;
    if (matchesKey(data, 'ctrl+r')) return this.recall();
    if (matchesKey(data, 'enter')) {
      this.#shown = this.shown;
      if (this.getText() === '') this.#begunAt = performance.now();
      if (this.isShowingAutocomplete()) super.handleInput('\u001b');
    }
    super.handleInput(data);
  }

  /** False when several words are possible that have no more letters in common. */
  #completeWord(): boolean {
    const {line, col} = this.getCursor();
    const [found, part] = this.#complete((this.getLines()[line] ?? '').slice(0, col));
    const [only = '', another] = found;
    // The only command that is possible is complete: its operand may follow.
    const whole = another === undefined && /\w$/.test(only) ? `${only} ` : commonStart(found);
    const rest = whole.slice(part.length);
    if (rest !== '') this.insertTextAtCursor(rest);
    return rest !== '' || found.length < 2;
  }

  /** The next older message that contains the typed text, or all that follow the one shown. */
  recall(): void {
    const text = this.getText();
    const shown = this.#history.indexOf(text);
    const words = shown < 0 ? text : this.#sought;
    this.#sought = words;
    const found = this.#history.slice(shown + 1).find((each) => each.includes(words));
    if (found !== undefined) this.setText(found);
  }
}

const border = '\u0000';

function isBorder(row: string): boolean {
  return row === border;
}

function themeOf({bold, dim}: Style): ConstructorParameters<typeof Editor>[1] {
  const selectList = {
    selectedPrefix: bold,
    selectedText: bold,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  return {borderColor: (text) => text, selectList};
}

function providerOf(complete: (line: string) => Completion): AutocompleteProvider {
  return {
    triggerCharacters: ['@'],
    getSuggestions: async (lines, row, column) => {
      const [found, part] = complete((lines[row] ?? '').slice(0, column));
      if (found.length === 0 || (found.length === 1 && found[0]?.trim() === part)) return null;
      return {items: found.map((value) => ({value, label: value.trim()})), prefix: part};
    },
    applyCompletion: (lines, cursorLine, column, {value}, prefix) => {
      const line = lines[cursorLine] ?? '';
      const before = line.slice(0, column - prefix.length) + value;
      const next = lines.with(cursorLine, before + line.slice(column));
      return {lines: next, cursorLine, cursorCol: before.length};
    },
  };
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  while (!others.every((other) => other.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}
