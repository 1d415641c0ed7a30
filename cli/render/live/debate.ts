/** A debate: its turns in progress, and its ledger of objections at the end. */

import {isOpen, type Objection} from '../../../machines/domain/ledger.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import type {DebateRecord} from '../../../machines/questions/discussion.ts';
import type {ScoredDraft} from '../../../machines/questions/evaluation.ts';
import {protocolWord, type Reader, say, wordIn} from '../../language.ts';
import type {PageView, Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';

interface Room extends PageView {
  /** Everything, without a limit of rows. */
  readonly isWhole: boolean;
}

/** Its reader is that of the document. */
type LedgerRoom = PageView & Reader;

type Turn = Extract<ProgressEvent, {readonly type: 'debate.turn'}>;

/** The speaker's latest additions to the ledger, or the opening position. */
export function turnLines(turn: Turn, room: Room): readonly string[] {
  const {role, participant, round, because} = turn;
  const {style, width} = room;
  const who = oneLine(
    participant === role ? wordIn(role, style) : `${participant}, ${wordIn(role, style)}`,
    60,
  );
  if (because !== undefined) return [style.yellow(`  ! ${oneLine(because, width - 4)}`)];
  if (round === 0) return rowsOf(say(t`${who} holds: ${turn.position}`, style), room, '  ');
  const said = turn.objections.flatMap((each) => sayings[role](each, round));
  const isSilent = said.length === 0 && role === 'opponent';
  const head = `  ${say(t`${who}, round ${round}`, style)}${isSilent ? say(t`: nothing new to object`, style) : ''}`;
  return [oneLine(head, width), ...said.flatMap((text) => rowsOf(text, room, '    '))].map(
    (line, index) => (index === 0 ? `  ${line.trimStart()}` : line),
  );
}

function rowsOf(text: string, {width, isWhole}: Room, indent: string): string[] {
  return isWhole
    ? proseRows(text, width, indent)
    : [`${indent}${oneLine(text, width - indent.length)}`];
}

/** The statement of a turn's speaker on an objection. */
const sayings: Readonly<Record<Turn['role'], (one: Objection, round: number) => string[]>> = {
  opponent: ({id, severity, objection, ruling, ...one}, round) => {
    if (one.round === round) return [`${id} ${severity}: ${objection}`];
    return ruling === 'withdrawn' ? [`${id} withdrawn`] : [];
  },
  proponent: (one) => {
    const {id, answer, isConceded} = one;
    if (!isOpen(one) || answer === undefined) return [];
    return [`${id} ${isConceded ? 'conceded' : 'answered'}: ${answer}`];
  },
  moderator: ({id, ruling, reason = ''}) =>
    ruling === undefined || ruling === 'withdrawn' ? [] : [`${id} ${ruling}: ${reason}`],
};

const rulingWords = {
  resolved: t`resolved`,
  withdrawn: t`withdrawn`,
  stands: t`open{:objection}`,
};

/** The position, and each objection with its outcome. Without an objection nothing was settled. */
export function ledgerLines(debate: DebateRecord, room: LedgerRoom): string[] {
  const {style, width} = room;
  const {position, proponent, opponent, rounds, objections, outcome} = debate;
  const head =
    objections.length === 0
      ? t`Position of ${proponent}, without an objection of ${opponent}`
      : t`Position of ${proponent}, ${protocolWord(outcome)} after ${rounds} {round|rounds} against ${opponent}`;
  return [
    '',
    style.bold(oneLine(say(head, room), width)),
    ...proseRows(position, width, '  '),
    ...(objections.length > 0 ? ['', style.bold(say(t`Objections`, room))] : []),
    ...objections.flatMap((each) => objectionRows(each, room)),
  ];
}

function objectionRows(one: Objection, room: LedgerRoom): string[] {
  const {style, width} = room;
  const {id, severity, ruling = 'stands', objection, evidence, answer, isConceded, reason} = one;
  const word = say(rulingWords[ruling], room);
  const paint = isOpen(one) ? style.red : style.green;
  const details = [
    ...(evidence === undefined ? [] : [t`evidence: ${evidence}`]),
    ...(answer === undefined ? [] : [isConceded ? t`conceded: ${answer}` : t`answer: ${answer}`]),
    ...(reason === undefined ? [] : [t`ruling: ${reason}`]),
  ];
  const [first = '', ...rest] = proseRows(objection, width, '    ');
  return [
    `  ${oneLine(id, 10)} ${say(protocolWord(severity), room)}, ${paint(word)}`,
    first,
    ...rest,
    ...details.flatMap((detail) => proseRows(say(detail, room), width, '      ')),
  ];
}

// The drafts of an ensemble with their scores, as a table.

/** ` with 7.5 of 10`; empty for a draft without a score. */
export function meanText(draft: ScoredDraft | undefined, reader: Reader): string {
  return draft?.mean === undefined ? '' : say(t` with ${draft.mean.toFixed(1)} of 10`, reader);
}

/** One draft a line, the chosen one marked, with its scores and their reasons below. */
export function ensembleLines(
  {by, drafts}: {readonly by: string; readonly drafts: readonly ScoredDraft[]},
  style: Style,
  width: number,
): string[] {
  return drafts.flatMap((draft) => [
    `${draft.by === by ? style.green('✓') : ' '} ${(draft.mean?.toFixed(1) ?? '–').padStart(4)}  ${oneLine(`${draft.by}: ${draft.objective}`, width - 10)}`,
    ...draft.scores.flatMap(({scorer, score, reasons}) =>
      proseRows(`${score} by ${scorer}: ${reasons.join('; ')}`, width - 10).map(
        (row) => `        ${row}`,
      ),
    ),
  ]);
}
