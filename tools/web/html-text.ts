/** Converts HTML to readable text: with the targets of links and images, without content that a person would not see. */

import {Parser} from 'htmlparser2';

import {paced} from '../read/pace.ts';

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

interface HtmlOptions {
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
  paint: {color: [0, 0, 0], background: [255, 255, 255], isTiny: false},
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

/** Their content is not part of the page's text, or is only shown without scripts or by other means. */
const dropped: ReadonlySet<string> = new Set(
  'script style template noscript noembed noframes iframe object svg canvas audio video datalist'.split(
    ' ',
  ),
);

const blocks: ReadonlySet<string> = new Set(
  (
    'address article aside body caption dd details dialog div dt fieldset figcaption figure footer form ' +
    'header hgroup legend li main nav option section summary tr'
  ).split(' '),
);

const apart: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote hr'.split(' '),
);

function isDropped(name: string): boolean {
  return dropped.has(name);
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol';
}

function isCell(name: string): boolean {
  return name === 'td' || name === 'th';
}

/** Between an element and the text around it. */
function lineEndsOf(name: string, parent: string): number {
  if (blocks.has(name) || (isList(name) && parent === 'li')) return 1;
  return apart.has(name) ? 2 : 0;
}

/** The position of an element: in `lists` lists, as the `nth` (from 1) of its kind in `parent`. */
interface Position {
  readonly parent: string;
  readonly lists: number;
  readonly nth: number;
}

/** The maximum number of indented levels of nested lists. */
const maxIndent = 8;

/** The mark before the text of an element. */
function markOf(name: string, {parent, lists, nth}: Position): string | undefined {
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading) return '#'.repeat(Number(heading));
  if (isCell(name)) return nth > 1 ? '|' : '';
  if (name !== 'li') return undefined;
  return (
    '  '.repeat(Math.min(Math.max(0, lists - 1), maxIndent)) + (parent === 'ol' ? `${nth}.` : '-')
  );
}

type Style = ReadonlyMap<string, string>;

/** Properties that an element passes to its children. */
interface Paint {
  /** Undefined where unknown. */
  readonly color: Color | 'transparent' | undefined;
  readonly background: Color | undefined;
  readonly isTiny: boolean;
}

/** These hide the element with all its content. */
const hiding: readonly (readonly [property: string, value: RegExp])[] = [
  ['display', /^none/],
  ['visibility', /^(hidden|collapse)/],
  ['content-visibility', /^hidden/],
  ['opacity', /^(0?\.0\d*|0|[0-4]%)( |$)/],
  ['left', /^-\d{3}/],
  ['top', /^-\d{3}/],
  ['text-indent', /^-\d{3}/],
  ['clip', /^rect\(\s*[01](px)?[\s,]/],
  ['clip-path', /^(inset\((50|100)%|circle\(0)/],
  ['transform', /scale\(0/],
];

/** The time to parse a style grows with the square of its length. */
const maxStyleLength = 1_000;

const noStyle: Style = new Map();

function parseStyle(text: string | undefined): Style {
  if (text === undefined) return noStyle;
  const rules = text
    .slice(0, maxStyleLength)
    .toLowerCase()
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split(';');
  return new Map(
    rules.map((rule) => {
      const colon = rule.indexOf(':');
      return [rule.slice(0, colon).trim(), rule.slice(colon + 1).trim()];
    }),
  );
}

/** True if a person would not see an element, by its own attributes: style sheets are not read. */
function isHidden(name: string, attributes: Attributes, style: Style): boolean {
  if ('hidden' in attributes || (name === 'dialog' && !('open' in attributes))) return true;
  if (hiding.some(([property, value]) => value.test(style.get(property) ?? ''))) return true;
  const isCut = /^(hidden|clip)/.test(style.get('overflow') ?? '');
  return isCut && ['height', 'width', 'max-height'].some((side) => isZero(style.get(side)));
}

function isZero(length: string | undefined): boolean {
  return length !== undefined && Number.parseFloat(length) === 0;
}

/** As inherited, except for the element's own properties. */
function paintOf(attributes: Attributes, style: Style, inherited: Paint): Paint {
  const color = style.get('color') ?? attributes['color'];
  const behind = style.get('background-color') ?? style.get('background') ?? attributes['bgcolor'];
  const size = style.get('font-size');
  const background = behind === undefined ? inherited.background : parseColor(behind);
  return {
    color: color === undefined ? inherited.color : parseColor(color),
    background: background === 'transparent' ? inherited.background : background,
    isTiny: size === undefined ? inherited.isTiny : isTinySize(size, inherited.isTiny),
  };
}

/** Text in the colour of its background, or too small to read. */
function isUnseen({color, background, isTiny}: Paint): boolean {
  if (isTiny || color === 'transparent') return true;
  return color !== undefined && background !== undefined && areAlike(color, background);
}

function isTinySize(size: string, isInTiny: boolean): boolean {
  const number = Number.parseFloat(size);
  if (/^[\d.]+(em|%)/.test(size)) return isInTiny || number < (size.includes('%') ? 10 : 0.1);
  return /^[\d.]+rem/.test(size) ? number < 0.1 : number < 2;
}

type Color = readonly [red: number, green: number, blue: number];

/** Every colour is shorter, and the time to parse one grows faster than its length. */
const maxColorLength = 60;

/** Undefined for an unknown colour, such as most names. */
function parseColor(value: string): Color | 'transparent' | undefined {
  const [first = ''] = value
    .slice(0, maxColorLength)
    .trim()
    .toLowerCase()
    .split(/\s+(?![^(]*\))/);
  if (first === 'transparent' || /^(rgba|hsla)\(.*[,/]\s*0?\.?0*%?\)$/.test(first)) {
    return 'transparent';
  }
  return fromHex(first) ?? fromParts(first);
}

/** Too similar to distinguish by eye. */
function areAlike(one: Color, other: Color): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= 16);
}

const named: Readonly<Record<string, string>> = {white: 'ffffff', black: '000000'};

function fromHex(text: string): Color | undefined {
  const hex = named[text] ?? /^#?([\da-f]{6}|[\da-f]{3})$/.exec(text)?.[1];
  if (hex === undefined) return undefined;
  const number = Number.parseInt(hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function fromParts(text: string): Color | undefined {
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(text);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined;
}

const blanks = /[ \t\n\r\f\u00a0]+/g;

interface TextFlow {
  /** Running text, or text whose blanks are significant. */
  readonly write: (text: string, isPreformatted: boolean) => void;
  /** Before items and cells, may be empty: the following text is on the same line, even if elements open in between. */
  readonly mark: (text: string) => void;
  /** A block begins: at least this many line ends after the preceding text. */
  readonly open: (lineEnds: number) => void;
  readonly close: (lineEnds: number) => void;
  /** A cell ends: the following text is on the same line. */
  readonly join: () => void;
  /** Adds one line end, up to two in a row. */
  readonly breakLine: () => void;
  readonly length: () => number;
  readonly since: (from: number) => string;
}

function createTextFlow(): TextFlow {
  let out = '';
  let lineEnds = 0;
  let hasBlank = false;
  let isMarked = false;

  const append = (text: string): void => {
    if (out !== '' && lineEnds > 0) out += '\n'.repeat(lineEnds);
    else if (out !== '' && hasBlank && !isMarked) out += ' ';
    out += text;
    lineEnds = 0;
    hasBlank = false;
    isMarked = false;
  };
  const separate = (count: number): void => {
    lineEnds = Math.max(lineEnds, count);
  };
  const writeRunning = (text: string): void => {
    const plain = text.replaceAll(blanks, ' ');
    hasBlank ||= plain.startsWith(' ');
    const words = plain.trim();
    if (words === '') return;
    append(words);
    hasBlank = plain.endsWith(' ');
  };

  return {
    write: (text, isPreformatted) => (isPreformatted ? append(text) : writeRunning(text)),
    mark: (text) => {
      hasBlank = true;
      if (text !== '') append(`${text} `);
      isMarked = true;
    },
    open: (count) => {
      if (!isMarked) separate(count);
    },
    close: (count) => {
      isMarked &&= count === 0;
      separate(count);
    },
    join: () => {
      lineEnds = 0;
    },
    breakLine: () => {
      lineEnds = Math.min(lineEnds + 1, 2);
    },
    length: () => out.length,
    since: (from) => out.slice(from),
  };
}
