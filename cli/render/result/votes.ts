/** The votes of a run's panels, and their refusals. */

import {severities, type Severity} from '../../../machines/domain/patch.ts';
import type {
  Decision,
  Denied,
  DiffReview,
  Placed,
  RunResult,
} from '../../../machines/domain/result.ts';
import {type ReviewRound, vetoText} from '../../../machines/domain/review.ts';
import {type Message, t, type Value} from '../../../machines/message.ts';
import {protocolWord, type Reader, say} from '../../language.ts';
import {placeText} from '../live/interactions.ts';
import {timeText} from '../numbers.ts';
import {digestDigits} from '../question.ts';
import {reasonRows, roundLines, type RoundView} from '../round.ts';
import type {Paint, Style} from '../style.ts';
import {maxLine, oneLine, proseRows, wrapWords} from '../text.ts';

interface VotesView extends Pick<
  RoundView,
  'all' | 'whole' | 'width' | 'isCommented' | 'language'
> {
  readonly style: Style;
}

/** `plan "Greet", round 2` */
export function voteTitle(
  {kind, title, round}: Pick<ReviewRound, 'kind' | 'title' | 'round'>,
  reader: Reader,
): string {
  return oneLine(say(t`${protocolWord(kind)} "${title}", round ${round}`, reader), 100);
}

export function voteLines(
  reviews: readonly Placed<ReviewRound>[],
  {style, width, all, whole, isCommented, language}: VotesView,
): string[] {
  return reviews.flatMap((round) =>
    roundLines(round, style, {
      width: Math.min(width - 2, whole === true ? width : maxLine),
      all,
      whole,
      isCommented,
      language,
      label: placeText(round) + voteTitle(round, {language}),
    }),
  );
}

export function deniedLines(denied: Placed<Denied>, width: number): string[] {
  const {tool, summary, reasons} = denied;
  const what = `${placeText(denied)}${summary.startsWith(tool) ? summary : `${tool} ${summary}`}`;
  const why = reasons.flatMap((reason) =>
    reasonRows(oneLine(reason, maxLine), {width, whole: true}),
  );
  return [...wrapWords(oneLine(what, maxLine), width), ...why];
}

// A review of a diff as text: the verdict, the comments by file, the votes.

/** Comments in the order of the diff, below their files. */
export function commentLines({comments}: DiffReview, style: Style, width: number): string[] {
  const files = Map.groupBy(comments, ({file}) => file);
  return [...files]
    .flatMap(([file, own]) => [
      ['', style.bold(oneLine(file) || say(t`The whole diff`, style))],
      own.flatMap((comment) => commentRows(comment, style, width)),
    ])
    .flat();
}

/** `12  major  disabled-test: "it.skip("; better: … (policy/evidence)` */
function commentRows(
  {line, severity, message, seat}: DiffReview['comments'][number],
  style: Style,
  width: number,
): string[] {
  const place = (line === undefined ? '' : String(line)).padStart(6);
  const word = severity.padEnd(longest);
  const [first = '', ...rest] = proseRows(`${message} (${seat})`, Math.max(20, width - indent));
  return [
    `${place}  ${paintFor(severity, style)(word)}  ${first}`,
    ...rest.map((row) => ' '.repeat(indent) + row),
  ];
}

const longest = Math.max(...severities.map((word) => word.length));
const indent = 6 + 2 + longest + 2;

function paintFor(severity: Severity, style: Style): Paint {
  return severity === 'minor' ? style.dim : severity === 'major' ? style.yellow : style.red;
}

// Decisions that were not the panel's, for the people who answer for the run.

type Decided = Pick<RunResult, 'decisions' | 'reviews'>;

const deeds: Readonly<Record<Decision['decision'], (by: Value, what: Value) => Message>> = {
  approve: (by, what) => t`${by} approved ${what}`,
  always: (by, what) => t`${by} allowed for good ${what}`,
  reject: (by, what) => t`${by} rejected ${what}`,
  edit: (by, what) => t`${by} edited ${what}`,
  revise: (by, what) => t`${by} asked for another version of ${what}`,
  retry: (by, what) => t`${by} had repeated ${what}`,
  done: (by, what) => t`${by} counted as done ${what}`,
  fail: (by, what) => t`${by} counted as failed ${what}`,
};

const maxDecision = 800;

/** `person approved plan "Write a greeting" against the panel · 2026-11-22 14:03 · sha256 4dfe68e9a06f` */
export function decisionLines(
  {decisions = [], reviews = []}: Decided,
  {width, ...reader}: {readonly width: number} & Reader,
): string[] {
  return decisions
    .filter(({by}) => by !== 'panel')
    .flatMap((one) => wrapWords(decisionLine(one, reviews, reader), width - 2));
}

function decisionLine(
  decision: Placed<Decision>,
  reviews: readonly ReviewRound[],
  reader: Reader,
): string {
  const {by, at, hash, title, reason, refused} = decision;
  const round = roundOn(hash, reviews);
  const what = round
    ? t`${protocolWord(round.kind)} "${round.title}"`
    : (title ?? t`what was asked`);
  const against = isOverruling(decision, reviews) ? opponent(round) : t``;
  const why = reason === undefined ? '' : `: ${reason}`;
  const vain = refused === undefined ? t`` : t` (no effect: ${refused})`;
  const deed = deeds[decision.decision](protocolWord(by), what);
  return [
    oneLine(placeText(decision) + say(t`${deed}${against}${why}${vain}`, reader), maxDecision),
    ...(at === undefined ? [] : [timeText(at)]),
    `sha256 ${oneLine(hash.slice(0, digestDigits))}`,
  ].join(' · ');
}

function isOverruling(
  {by, decision, hash, refused}: Decision,
  reviews: readonly ReviewRound[],
): boolean {
  const lets = decision === 'approve' || decision === 'edit';
  return (
    by !== 'panel' &&
    lets &&
    refused === undefined &&
    roundOn(hash, reviews)?.verdict === 'rejected'
  );
}

/** The last vote on exactly this proposal. */
function roundOn(hash: string, reviews: readonly ReviewRound[]): ReviewRound | undefined {
  return reviews.findLast(({proposalHash}) => proposalHash === hash);
}

function opponent(round: ReviewRound | undefined): Message {
  return round && vetoText(round) !== undefined ? t` against a veto` : t` against the panel`;
}
