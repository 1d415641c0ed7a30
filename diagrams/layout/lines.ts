/** Lines with vertical and horizontal segments. */

export type Point = readonly [x: number, y: number];

/** Shorter segments are bends that are removed. */
const least = 7;

/**
 * The line with exactly vertical and horizontal segments, and without points inside a segment: the layout engine is off by
 * a fraction of a pixel where a line crosses the border of a state.
 */
export function aligned(points: readonly Point[]): readonly Point[] {
  const line: Point[] = [];
  for (const [x, y] of points) {
    const [beforeX, beforeY] = line.at(-1) ?? [Infinity, Infinity];
    const isVertical = Math.abs(x - beforeX) <= 1;
    const isHorizontal = !isVertical && Math.abs(y - beforeY) <= 1;
    line.push([isVertical ? beforeX : x, isHorizontal ? beforeY : y]);
  }
  return line.filter((point, index) => !isBetween(point, line[index - 1], line[index + 1]));
}

function isBetween([x, y]: Point, before: Point | undefined, after: Point | undefined): boolean {
  if (!before || !after) return false;
  return (x === before[0] && x === after[0]) || (y === before[1] && y === after[1]);
}

interface Ends {
  readonly start: boolean;
  readonly end: boolean;
}

/**
 * The line without small steps to the side: one of the segments beside a step moves onto the other. A segment at an end
 * moves only if `mayMove` allows it.
 */
export function straightened(points: readonly Point[], mayMove: Ends): readonly Point[] {
  for (let index = 0; index + 3 < points.length; index += 1) {
    const step = stepAt(points, index);
    const isFree = {
      start: index > 0 || mayMove.start,
      end: index + 4 < points.length || mayMove.end,
    };
    if (!step || !(isFree.start || isFree.end)) continue;
    const {first, last, axis} = step;
    const to = isFree.start ? last[axis] : first[axis];
    const moved = [onto(first, axis, to), onto(last, axis, to)];
    return straightened([...points.slice(0, index), ...moved, ...points.slice(index + 4)], mayMove);
  }
  return points;
}

interface Step {
  readonly first: Point;
  readonly last: Point;
  /** The axis across the line. */
  readonly axis: 0 | 1;
}

/** Two segments in one direction with a short one across between them. */
function stepAt(points: readonly Point[], index: number): Step | undefined {
  const [a, b, c, d] = points.slice(index, index + 4);
  if (!a || !b || !c || !d) return undefined;
  const [axis, along] = a[0] === b[0] ? ([0, 1] as const) : ([1, 0] as const);
  const isShort = b[along] === c[along] && Math.abs(b[axis] - c[axis]) < least;
  const isSame = Math.sign(b[along] - a[along]) === Math.sign(d[along] - c[along]);
  return isShort && isSame && c[axis] === d[axis] ? {first: a, last: d, axis} : undefined;
}

function onto([x, y]: Point, axis: 0 | 1, value: number): Point {
  return axis === 0 ? [value, y] : [x, value];
}

/** The x of the vertical segment that passes through the middle of a box. Undefined if there is none. */
export function verticalIn(
  points: readonly Point[],
  box: {readonly x: number; readonly y: number; readonly width: number; readonly height: number},
): number | undefined {
  const middle = box.y + box.height / 2;
  const part = points.slice(1).find(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? [x, y];
    const isBeside = beforeX === x && x >= box.x && x <= box.x + box.width;
    return isBeside && Math.min(y, beforeY) <= middle && middle <= Math.max(y, beforeY);
  });
  return part?.[0];
}
