/** Votes for people: `Rev 1: REJECTED [○●○]` with the reasons. */

import type {Language} from '../../machines/domain/language.ts';
import {
  containedReasons,
  type ModelVote,
  reasonsIn,
  type ReviewRound,
  screeningsWithoutSeat,
  suggestionIn,
  verdictMarks,
  vetoText,
} from '../../machines/domain/review.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {type Paint, plainStyle, type Style} from './style.ts';
import {oneLine, proseRows, widthOfText} from './text.ts';

/** `vetoed by policy/scope (outside-workspace)`; undefined when nobody has vetoed it. */
export function vetoIn(round: ReviewRound, reader: Reader): string | undefined {
  const [, who] = /^vetoed by (.*)$/s.exec(vetoText(round) ?? '') ?? [];
  return who && say(t`vetoed by ${who}`, reader);
}

/** `REJECTED [●●○] vetoed by policy/scope (outside-workspace)` */
export function verdictText(round: ReviewRound, style: Style, language?: Language): string {
  const veto = vetoIn(round, {language});
  const named = veto === undefined ? '' : ` ${paintOf(round, style)(oneLine(veto))}`;
  return `${outcomeText(round, style, language)}${named}`;
}

const verdicts = {approved: t`APPROVED`, rejected: t`REJECTED`, noQuorum: t`NO QUORUM`};

/** `REJECTED [●●○]` */
export function outcomeText(round: ReviewRound, style: Style, language?: Language): string {
  const {verdict, summary} = round;
  return `${paintOf(round, style)(say(verdicts[verdict], {language}))} ${oneLine(summary)}`;
}

function paintOf({verdict}: ReviewRound, style: Style): Paint {
  return verdict === 'approved' ? style.green : style.red;
}

/** Of the reasons of a rejection, in UTF-16 units: the journal has the whole text. */
const maxReason = 2_000;

export interface RoundView {
  readonly width: number;
  readonly label: string;
  /** Include the reasons of approvals. */
  readonly all?: boolean | undefined;
  /** Reasons in full, without a limit of rows. */
  readonly whole?: boolean | undefined;
  /** Comments on single lines of a diff are shown elsewhere. */
  readonly isCommented?: boolean | undefined;
  /** Without the seats that an approval by all who voted did not need. */
  readonly isTerse?: boolean | undefined;
  readonly language?: Language | undefined;
}

/** One round with the reasons of all seats that did not approve, or approved without understanding. */
export function roundLines(round: ReviewRound, style: Style, view: RoundView): string[] {
  const {label, all = false, isCommented = false, isTerse = false, language} = view;
  const reasons = round.votes
    .filter((vote) => all || vote.verdict !== 'approve' || isContained(round, vote))
    .filter(({comments, rules}) => !isCommented || comments === undefined || rules === undefined)
    .map((vote) => ({
      policy: vote.model,
      reasons: [saidIn(vote, {language, isWhole: all})],
      isWhole: vote.verdict === 'reject',
    }));
  const isPlain =
    isTerse && round.approved && round.votes.every(({verdict}) => verdict === 'approve');
  const notes = isPlain ? '' : notesOn(round, {language}).join('; ');
  const aside = notes === '' ? '' : style.dim(` (${oneLine(notes)})`);
  const verdict = `${verdictText(round, style, language)}${aside}`;
  const plain = `${label}: ${verdictText(round, plainStyle, language)}${notes === '' ? '' : ` (${oneLine(notes)})`}`;
  const head =
    widthOfText(plain) <= view.width
      ? [`${label}: ${verdict}`]
      : [...proseRows(`${label}:`, view.width), `  ${verdict}`];
  return [
    ...head,
    ...decisionLines(round, view),
    ...refusalLines(round, view),
    ...[true, false].flatMap((isWhole) =>
      reasonsIn(reasons.filter((one) => one.isWhole === isWhole)).flatMap((text) =>
        reasonRows(isWhole ? oneLine(text, maxReason) : text, {
          ...view,
          whole: isWhole || view.whole,
        }),
      ),
    ),
  ];
}

/** Approved without understanding: said where it ran. */
function isContained({approved}: ReviewRound, vote: ModelVote): boolean {
  return approved && containedReasons(vote).length > 0;
}

const callMarks = {
  approved: verdictMarks.approve,
  rejected: verdictMarks.reject,
  noQuorum: verdictMarks.abstain,
  open: '·',
} as const;

/** For several calls that are not approved together: the decision on each. */
export function decisionLines(
  {approved, calls = []}: ReviewRound,
  {width}: Pick<RoundView, 'width'>,
): string[] {
  if (approved) return [];
  return calls.map(({title, verdict}) => `  ${callMarks[verdict]} ${oneLine(title, width - 4)}`);
}

/** The reason of a veto already explains why the other seats were not asked. */
function notesOn(round: ReviewRound, reader: Reader): string[] {
  const {early, degraded, withdrawn} = round;
  const isVeto = vetoText(round) !== undefined;
  return [
    ...(early && !isVeto ? [say(t`early`, reader)] : []),
    ...(degraded ? [say(t`degraded`, reader)] : []),
    ...(withdrawn.length > 0 && !isVeto
      ? [`${say(t`not needed`, reader)}: ${withdrawn.join(', ')}`]
      : []),
  ];
}

/** Objections of policies without a seat, and commands that they could not judge. */
export function refusalLines(round: ReviewRound, view: Omit<RoundView, 'label'>): string[] {
  return reasonsIn(screeningsWithoutSeat(round)).flatMap((text) => reasonRows(text, view));
}

export function reasonRows(
  text: string,
  {width, whole = false}: Omit<RoundView, 'label'>,
): string[] {
  const rows = whole ? proseRows(text, width - 5) : [oneLine(text, width - 5)];
  return rows.map((row, index) => (index === 0 ? `  └─ ${row}` : `     ${row}`));
}

export function reasonText(vote: ModelVote): string {
  return `${vote.model}: ${saidIn(vote)}`;
}

/** `isWhole`: with the problems of an invalid ballot. */
export function saidIn(
  vote: ModelVote,
  {isWhole = false, ...reader}: Reader & {readonly isWhole?: boolean} = {},
): string {
  const isSilent = vote.verdict === 'abstain' && vote.unknown === undefined;
  const short = isWhole ? undefined : vote.abstainedBecause;
  const because = short ?? (vote.reasons.join('; ') || vote.reasoning);
  return `${isSilent ? say(t`abstained: `, reader) : ''}${because}${suggestionIn(vote)}`;
}
