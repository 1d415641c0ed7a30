/** The tabs and panes of the full screen with what is in them: transcripts by interaction, and how far each pane is scrolled. */

import {isSpawnable} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {ScreenSize, Style} from '../render/style.ts';
import {parentIdOf} from '../render/view/place.ts';
import {contentOf, isTitled, type ShownPane} from './frame.ts';
import {
  arrange,
  bindInteraction,
  continueTab,
  type Layout,
  newLayout,
  openTab,
  type Pane,
  shownIn,
  type Tab,
  tabOf,
  tabsOf,
  type Tile,
} from './layout.ts';
import {type Prose, Transcript} from './transcript.ts';
import {type Extent, fitted, following, type Viewport} from './viewport.ts';

export interface Begun {
  readonly id: string;
  readonly form: string;
  /** A person began it, in the pending tab if there is one. */
  readonly isOfPerson: boolean;
}

export interface PanesOptions {
  readonly style: Style;
  readonly prose: Prose;
  /** Columns of the screen, and rows of all panes. */
  readonly room: () => ScreenSize;
  /** The rows of a view other than the conversation. */
  readonly rowsOf: (pane: Pane, interaction: string, width: number) => readonly string[];
  readonly titleOf: (pane: Pane, interaction: string | undefined) => string;
  /** Another tab or pane has the focus. */
  readonly onShown: () => void;
}

interface Focused extends ScreenSize {
  readonly pane: Pane;
}

export class Panes {
  layout: Layout = newLayout();
  /** The empty tab whose interaction begins next. */
  pending: number | undefined;
  readonly #options: PanesOptions;
  readonly #transcripts = new Map<string, Transcript>();
  readonly #views = new Map<number, Viewport>();

  constructor(options: PanesOptions) {
    this.#options = options;
  }

  /** The interaction of the focused pane. */
  get shown(): string | undefined {
    return shownIn(this.layout.active, this.focused().pane);
  }

  /** True when its conversation can be read now. */
  isShown(interaction: string): boolean {
    const own = this.#transcripts.get(interaction);
    const shown = this.#tiles().filter(({pane}) => pane.view === 'talk');
    return own !== undefined && shown.some(({pane}) => this.#transcriptIn(pane) === own);
  }

  /** Of an interaction; without one, of the active tab. */
  transcript(interaction = keyOf(this.layout.active)): Transcript {
    const {style, prose} = this.#options;
    const known = this.#transcripts.get(interaction) ?? new Transcript(style, prose);
    this.#transcripts.set(interaction, known);
    return known;
  }

  change(next: Layout): void {
    const [shown, {id}] = [this.shown, this.layout.active];
    this.layout = next;
    if (shown !== this.shown || id !== next.active.id) this.#options.onShown();
  }

  /**
   * An interaction gets its tab: the pending one, for a root also an empty active one or one whose interaction has ended, else
   * a new one, which a child opens in the background.
   */
  begin(begun: Begun, isEnded: (id: string) => boolean): void {
    const {id, form} = begun;
    if (this.#transcripts.has(id) || tabOf(this.layout, id)) return;
    if (form === 'command') return void this.#transcripts.set(id, this.transcript());
    const tab = this.#tabFor(begun, isEnded);
    if (!tab) return this.change(this.#opened(begun));
    this.pending = undefined;
    this.#transcripts.set(id, this.transcript(keyOf(tab)));
    const join = tab.interaction === undefined ? bindInteraction : continueTab;
    this.change(join(this.layout, tab.id, id));
  }

  #tabFor({id, isOfPerson}: Begun, isEnded: (id: string) => boolean): Tab | undefined {
    const {active} = this.layout;
    const pending = tabsOf(this.layout).find((tab) => tab.id === this.pending);
    if (isOfPerson && pending) return pending;
    const isFree = active.interaction === undefined || isEnded(active.interaction);
    return isFree && parentIdOf(id) === undefined ? active : undefined;
  }

  #opened({id, form}: Begun): Layout {
    const {layout} = this;
    const above = parentIdOf(id);
    return openTab(layout, {
      form: isSpawnable(form) ? form : 'agent',
      interaction: id,
      parent: above === undefined ? undefined : tabOf(layout, above)?.id,
      isInBackground: above !== undefined,
    });
  }

  focused(): Focused {
    const tiles = this.#tiles();
    const tile = tiles.find(({pane}) => pane.id === this.layout.active.focus) ?? tiles[0];
    if (!tile) throw new Error('a tab has a pane');
    return {pane: tile.pane, ...this.#content(tile, tiles.length)};
  }

  /** With their rows. */
  all(): readonly ShownPane[] {
    const tiles = this.#tiles();
    const focused = this.focused().pane.id;
    return tiles.map((tile) => this.#shownPane(tile, tiles.length, tile.pane.id === focused));
  }

  #shownPane(tile: Tile, all: number, isFocused: boolean): ShownPane {
    const {pane} = tile;
    const {width, height} = this.#content(tile, all);
    const rows = this.#rows(pane, width);
    const view = fitted(this.#view(pane), {rows: rows.length, height});
    const interaction = shownIn(this.layout.active, pane);
    const title = isTitled(tile, all) ? this.#options.titleOf(pane, interaction) : '';
    const below = Math.max(0, rows.length - view.top - height);
    return {...tile, title, rows, view, below, isFocused};
  }

  /** The pane at a place of the area. */
  at(x: number, y: number): Pane | undefined {
    return this.#tiles().find(
      (tile) => x >= tile.x && x < tile.x + tile.width && y >= tile.y && y < tile.y + tile.height,
    )?.pane;
  }

  /** New rows move the focused pane. */
  follow(): void {
    this.#views.delete(this.focused().pane.id);
  }

  /** Changes the view of the focused pane. */
  move(next: (view: Viewport, extent: Extent, rows: readonly string[]) => Viewport): void {
    const {pane, width, height} = this.focused();
    const rows = this.#rows(pane, width);
    const extent = {rows: rows.length, height};
    this.#views.set(pane.id, next(fitted(this.#view(pane), extent), extent, rows));
  }

  /** Opens or closes the long block that ends at the cursor. */
  fold(): void {
    const {pane} = this.focused();
    if (pane.view !== 'talk') return;
    this.move((view) => {
      this.#transcriptIn(pane).fold(view.cursor);
      return view;
    });
  }

  #tiles(): readonly Tile[] {
    const {width, height} = this.#options.room();
    return arrange(this.layout, width, Math.max(1, height));
  }

  #content(tile: Tile, all: number): ScreenSize {
    return contentOf(tile, {all, screen: this.#options.room().width});
  }

  #rows(pane: Pane, width: number): readonly string[] {
    if (pane.view === 'talk') return this.#transcriptIn(pane).rows(width);
    const {style} = this.#options;
    const interaction = shownIn(this.layout.active, pane);
    const rows = interaction === undefined ? [] : this.#options.rowsOf(pane, interaction, width);
    return rows.length > 0 ? rows : [style.dim(say(t`nothing yet`, style))];
  }

  #transcriptIn(pane: Pane): Transcript {
    return this.transcript(shownIn(this.layout.active, pane));
  }

  #view({id}: Pane): Viewport {
    return this.#views.get(id) ?? following;
  }
}

function keyOf({id, interaction}: Tab): string {
  return interaction ?? `tab ${id}`;
}
