/** The part of a pane's rows that is shown, and the line of normal mode in it. */

export interface Viewport {
  /** The first shown row. */
  readonly top: number;
  /** The row of the cursor. */
  readonly cursor: number;
  /** New rows move it: its last row is the last of all. */
  readonly isFollowing: boolean;
  /** The other end of a selection. */
  readonly anchor: number | undefined;
}

export interface Extent {
  /** Of all rows. */
  readonly rows: number;
  /** Of the shown ones. */
  readonly height: number;
}

export const following: Viewport = {top: 0, cursor: 0, isFollowing: true, anchor: undefined};

/** For the rows that there are now. */
export function fitted(view: Viewport, {rows, height}: Extent): Viewport {
  const last = Math.max(0, rows - 1);
  const end = Math.max(0, rows - height);
  if (view.isFollowing) return {...view, top: end, cursor: last};
  const cursor = clamp(view.cursor, 0, last);
  const top = clamp(clamp(view.top, cursor - height + 1, cursor), 0, end);
  return {...view, top, cursor};
}

/** At the last row, it follows new ones unless lines are selected. */
export function withCursor(view: Viewport, row: number, extent: Extent): Viewport {
  const isLast = row >= extent.rows - 1 && view.anchor === undefined;
  return fitted({...view, cursor: row, isFollowing: isLast}, extent);
}

/** The cursor moves only as far as the shown rows require. */
export function scrolled(view: Viewport, by: number, extent: Extent): Viewport {
  const {rows, height} = extent;
  const from = fitted(view, extent);
  const end = Math.max(0, rows - height);
  const top = clamp(from.top + by, 0, end);
  if (top === end)
    return {
      ...from,
      top,
      isFollowing: view.anchor === undefined,
      cursor: Math.max(from.cursor, top),
    };
  return {...from, top, isFollowing: false, cursor: clamp(from.cursor, top, top + height - 1)};
}

/** From the first to the last selected row. */
export function selection({anchor, cursor}: Viewport): readonly [first: number, last: number] {
  const other = anchor ?? cursor;
  return [Math.min(other, cursor), Math.max(other, cursor)];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
