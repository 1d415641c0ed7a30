/** The interactions of runs for people: the state of each, below its parent, and its cost. */

import {addUsage, noUsage, type UsageTotals} from '../../../machines/domain/result.ts';
import {type Message, t} from '../../../machines/message.ts';
import {protocolWord, say, type Reader} from '../../language.ts';
import {phaseName} from '../live/events.ts';
import {originText, saidBy} from '../live/interactions.ts';
import {filledText} from '../live/interview.ts';
import {countText, spentText} from '../numbers.ts';
import type {PageView, Style} from '../style.ts';
import {oneLine, proseRows, widthOfText} from '../text.ts';
import {isRunning} from '../view/interactions.ts';
import {placeInRun} from '../view/place.ts';
import type {InteractionView, RunView} from '../view/run-view.ts';
import {tableLines} from './table.ts';

const titles = [t``, t`CALLS`, t`TOKENS IN`, t`OUT`, t`COST`, t`REQUEST`];

export interface TreeLook extends PageView {
  /** The name of an interaction. */
  readonly nameOf: (interaction: string) => string;
  /** The highlighted interaction. */
  readonly focus?: string | undefined;
}

/** With fewer columns for the request, the cost is left out. */
const leastRequest = 20;

/** One line for each interaction: `3.1 ask working: What does it do? · 2 model calls · $0.01`. */
export function treeLines(runs: readonly RunView[], look: TreeLook): string[] {
  return runs.flatMap((run) => run.interactions.map((one) => lineOf(one, run, look)));
}

function lineOf(one: InteractionView, run: RunView, look: TreeLook): string {
  const {style, width, nameOf, focus} = look;
  const indent = '  '.repeat(one.depth);
  const name = [nameOf(one.id), one.form].filter((part) => part !== undefined).join(' ');
  const state = stateText(one, run, style);
  const took = tookText(one.spent);
  const head = `${indent}${name} ${state}`;
  const room = width - widthOfText(head) - 2;
  const isRoomy = room - widthOfText(took) >= leastRequest;
  const request = oneLine(one.request, Math.max(1, isRoomy ? room - widthOfText(took) : room));
  const strong = focus === one.id ? style.bold(name) : name;
  const colon = request === '' ? '' : ': ';
  return `${indent}${strong} ${paintOf(one, run, style)(state)}${colon}${request}${isRoomy ? style.dim(took) : ''}`;
}

type WholeLook = Pick<TreeLook, 'style' | 'width'>;

/** All details of the interactions below the root: request, initiator, outcome. Empty without any. */
export function wholeTreeLines(run: RunView, look: WholeLook): string[] {
  const [root, ...below] = run.interactions;
  if (!root || (below.length === 0 && root.refusals.length === 0)) return [];
  return [
    headOf(root, run, look),
    ...refusalLines(root, look),
    ...below.flatMap((one) => wholeLines(one, run, look)),
  ];
}

function wholeLines(one: InteractionView, run: RunView, look: WholeLook): string[] {
  const {depth, request, state, text, summary} = one;
  const indent = '  '.repeat(depth + 1);
  const said = saidBy({status: state, summary, text});
  return [
    headOf(one, run, look),
    ...proseRows(request, look.width, indent),
    ...(said === '' ? [] : proseRows(`→ ${said}`, look.width, indent)),
    ...refusalLines(one, look),
  ];
}

/** `  1.2 discuss completed · by the model, context summary · 3 model calls · $0.02` */
function headOf(one: InteractionView, run: RunView, {style}: WholeLook): string {
  const {id, form = '', depth, contextMode, by, spent} = one;
  const name = `${'  '.repeat(depth)}${`${placeInRun(id)} ${form}`.trim()}`;
  const origin = by && contextMode ? ` · ${originText({by, contextMode}, style)}` : '';
  const state = paintOf(one, run, style)(stateText(one, run, style));
  return `${name} ${state}${style.dim(origin + tookText(spent))}`;
}

function refusalLines({refusals, depth}: InteractionView, {style, width}: WholeLook): string[] {
  return refusals.flatMap(({form, error}) =>
    proseRows(
      say(t`no ${form} was begun: ${error.message}`, style),
      width,
      '  '.repeat(depth + 1),
    ).map(style.yellow),
  );
}

/** Its phase, its end, or that it waits for a person. */
export function stateText(
  one: InteractionView,
  view: Pick<RunView, 'gates' | 'asks'>,
  reader: Reader,
): string {
  const filled = one.filled ? ` (${filledText(one.filled, reader)})` : '';
  if (isWaited(one, view)) return `${say(t`waits for a person`, reader)}${filled}`;
  if (!isRunning(one)) return say(stateWords[one.state] ?? protocolWord(one.state), reader);
  return phaseText(one, reader) + filled;
}

function isWaited({id}: InteractionView, {gates, asks}: Pick<RunView, 'gates' | 'asks'>): boolean {
  return [...gates, ...asks].some(({interaction}) => interaction === id);
}

export function phaseText({phase}: InteractionView, reader: Reader): string {
  return phase === '' ? say(t`starting`, reader) : phaseName(phase, reader);
}

const stateWords: Readonly<Partial<Record<InteractionView['state'], Message>>> = {
  cutOff: t`cut off`,
  waiting: t`suspended{:waiting}`,
};

function paintOf(one: InteractionView, view: RunView, style: Style): Style['green'] {
  if (isWaited(one, view)) return style.yellow;
  if (isRunning(one)) return style.cyan;
  return one.state === 'completed' ? style.green : style.red;
}

/** ` · 2 model calls · $0.01`; empty when no model was called. */
function tookText(spent: UsageTotals): string {
  if (spent.modelCalls === 0) return '';
  const cost = spentText(spent);
  return ` · ${countText(spent.modelCalls, 'model call')}${cost && ` · ${cost}`}`;
}

/** The cost of each interaction's own calls, and the total. */
export function costLines(
  runs: readonly RunView[],
  {style, width, nameOf}: Omit<TreeLook, 'focus'>,
): string[] {
  const all = runs.flatMap(({interactions}) => interactions);
  const total = runs.map((run) => run.usage ?? noUsage).reduce(addUsage, noUsage);
  return tableLines(
    titles,
    [
      ...all.map((one) => costRow([nameOf(one.id), one.form].join(' '), one.spent, one.request)),
      costRow(say(t`total`, style), total, ''),
    ],
    style,
    width,
  );
}

function costRow(name: string, spent: UsageTotals, request: string): string[] {
  const {modelCalls, inputTokens, outputTokens} = spent;
  const numbers = [modelCalls, inputTokens, outputTokens].map((count) =>
    count.toLocaleString('en-US'),
  );
  return [name, ...numbers, spentText(spent), request];
}
