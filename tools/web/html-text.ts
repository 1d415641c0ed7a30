/** Converts HTML to readable text: with the targets of links and images, without content that a person would not see. */

import {Parser} from 'htmlparser2';

import {paced} from '../read/pace.ts';
import {isHidden, isUnseen, pagePaint, type Paint, paintOf, parseStyle} from './hidden.ts';
import {isCell, isDropped, isList, lineEndsOf, markOf} from './layout.ts';
import {createTextFlow, type TextFlow} from './text-flow.ts';

/** Browsers stop at this depth as well; the parser's time grows with it. */
const maxDepth = 512;
const sliceLength = 64 * 1024;
const maxTargetLength = 1_000;

export interface PageText {
  readonly title: string;
  readonly text: string;
  /** Elements left out because a person would not see them. */
  readonly hidden: number;
  /** There are more than `maxLength` characters, or the nesting is too deep to continue. */
  readonly isCut: boolean;
}

export interface HtmlOptions {
  /** The base of relative targets. */
  readonly base: URL;
  readonly maxLength: number;
  readonly signal: AbortSignal;
}

type Attributes = Readonly<Record<string, string>>;

interface Frame {
  readonly name: string;
  readonly paint: Paint;
  /** Nothing in it is shown, not even nested elements. */
  readonly isSilent: boolean;
  /** Its own text is not shown. */
  readonly isUnseen: boolean;
  readonly isPreformatted: boolean;
  /** The number of enclosing lists. */
  readonly lists: number;
  /** The target of a link. */
  readonly reference?: string | undefined;
  /** Its start in the flow. */
  readonly from: number;
  /** The number of items and cells so far. */
  items: number;
}

interface Reading {
  readonly flow: TextFlow;
  /** The open elements, the page itself first. */
  readonly frames: Frame[];
  base: URL;
  title: string;
  hidden: number;
  isTooDeep: boolean;
}

const page: Omit<Frame, 'items'> = {
  name: '',
  paint: pagePaint,
  isSilent: false,
  isUnseen: false,
  isPreformatted: false,
  lists: 0,
  from: 0,
};

/** Gives way to the event loop, and ends early on abort. Fetches nothing. */
export async function htmlText(
  html: string,
  {base, maxLength, signal}: HtmlOptions,
): Promise<PageText> {
  const flow = createTextFlow();
  const reading: Reading = {
    flow,
    frames: [{...page, items: 0}],
    base,
    title: '',
    hidden: 0,
    isTooDeep: false,
  };
  const parser = new Parser({
    onopentag: (name, attributes) => open(reading, name, attributes),
    ontext: (text) => write(reading, text),
    onclosetag: () => close(reading),
  });
  const isFull = (): boolean => reading.isTooDeep || flow.length() > maxLength;
  await paced(slicesOf(html), signal, (slice) => {
    parser.write(slice);
    return !isFull();
  });
  parser.end();
  const {title, hidden} = reading;
  return {title, text: flow.since(0).slice(0, maxLength), hidden, isCut: isFull()};
}

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += sliceLength) yield text.slice(at, at + sliceLength);
}

function open(reading: Reading, name: string, attributes: Attributes): void {
  const parent = reading.frames.at(-1);
  if (!parent || reading.isTooDeep) return;
  if (reading.frames.length > maxDepth) {
    reading.isTooDeep = true;
    return;
  }
  if (name === 'li' || isCell(name)) parent.items += 1;
  const frame = frameOf(reading, name, attributes, parent);
  reading.frames.push(frame);
  if (frame.isSilent || frame.isUnseen) return;
  begin(reading, frame, attributes, parent);
}

function frameOf(reading: Reading, name: string, attributes: Attributes, parent: Frame): Frame {
  const style = parseStyle(attributes['style']);
  const paint = paintOf(attributes, style, parent.paint);
  // A page that hides itself is made visible by a script when it is ready.
  const hides = !/^(html|body)$/.test(name) && isHidden(name, attributes, style);
  const frame: Frame = {
    name,
    paint,
    isSilent: parent.isSilent || hides || isDropped(name),
    isUnseen: isUnseen(paint),
    isPreformatted: parent.isPreformatted || /^(pre|textarea)$/.test(name),
    lists: parent.lists + Number(isList(name)),
    reference: name === 'a' ? attributes['href'] : undefined,
    from: reading.flow.length(),
    items: 0,
  };
  if (!parent.isSilent && (hides || isNewlyUnseen(frame, parent))) reading.hidden += 1;
  return frame;
}

function isNewlyUnseen(frame: Frame, parent: Frame): boolean {
  return frame.isUnseen && !parent.isUnseen && !frame.isSilent;
}

function begin(reading: Reading, frame: Frame, attributes: Attributes, parent: Frame): void {
  const {flow} = reading;
  const {name, lists} = frame;
  flow.open(lineEndsOf(name, parent.name));
  const mark = markOf(name, {parent: parent.name, lists, nth: parent.items});
  if (mark !== undefined) flow.mark(mark);
  if (name === 'br') flow.breakLine();
  if (name === 'hr') flow.write('---', false);
  if (name === 'img') writeImage(reading, attributes);
  if (name === 'base') rebase(reading, attributes['href'] ?? '');
}

function rebase(reading: Reading, reference: string): void {
  const base = URL.parse(reference.slice(0, maxTargetLength), reading.base.href);
  if (base) reading.base = base;
}

/** Only its address: a person does not see the alternative text next to the image. */
function writeImage(reading: Reading, {src}: Attributes): void {
  const target = targetOf(reading, src);
  if (target !== undefined) reading.flow.write(`[image: ${target}]`, false);
}

/** Undefined when it leads to the page itself. */
function targetOf({base}: Reading, reference: string | undefined): string | undefined {
  if (reference === undefined || reference.startsWith('#')) return undefined;
  const url = URL.parse(reference, base.href);
  if (!url || !/^(https?|mailto):$/.test(url.protocol)) return undefined;
  const {href} = url;
  return href.length > maxTargetLength ? `${href.slice(0, maxTargetLength)}…` : href;
}

function write(reading: Reading, text: string): void {
  const frame = reading.frames.at(-1);
  if (!frame || frame.isSilent || frame.isUnseen || reading.isTooDeep) return;
  if (frame.name === 'title') reading.title += text;
  else reading.flow.write(text, frame.isPreformatted);
}

function close(reading: Reading): void {
  const {frames, flow, isTooDeep} = reading;
  const [parent, frame] = frames.slice(-2);
  if (isTooDeep || !parent || !frame) return;
  frames.pop();
  if (frame.isSilent) return;
  if (frame.reference !== undefined) writeTarget(reading, frame);
  flow.close(lineEndsOf(frame.name, parent.name));
  if (isCell(frame.name)) flow.join();
}

/** Nothing for a link without text, or whose text is the target. */
function writeTarget(reading: Reading, {reference, from}: Frame): void {
  const shown = reading.flow.since(from).trim();
  const target = shown === '' ? undefined : targetOf(reading, reference);
  if (target !== undefined && shown !== target) reading.flow.write(` (${target})`, false);
}
