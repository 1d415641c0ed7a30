/** The checks of a verified run: one line each, with a mark. */

import type {Check, CheckName, Finding, Verification} from '../../../actors/verify/exported-run.ts';
import {t, type Message} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import {section} from '../result/result.ts';
import type {Style} from '../style.ts';
import {oneLine, padTo, proseRows} from '../text.ts';

const marks = {holds: '✓', fails: '✗', unchecked: '–'} as const;

const labels: Readonly<Record<CheckName, Message>> = {
  chain: t`chain`,
  end: t`end`,
  replay: t`replay`,
  laws: t`laws`,
  signatures: t`signatures`,
};
const labelWidth = 10;

/** The columns of the mark, the label and the blanks around them. */
const indent = 14;

interface VerificationView {
  readonly style: Style;
  readonly width: number;
  /** With the named points of the run. */
  readonly isVerbose: boolean;
}

export function verificationLines(
  {id, entries, checks}: Verification,
  {style, width, isVerbose}: VerificationView,
): string[] {
  const count = say(t`${entries} {entry|entries}`, style);
  return [
    `${style.bold(oneLine(id))} ${count}`,
    ...checks.flatMap((each) => checkRows(each, style, width)),
    ...(isVerbose
      ? section(
          say(t`Points, with the entries before and after each`, style),
          pointRows(checks),
          style,
        )
      : []),
  ];
}

function pointRows(checks: readonly Check[]): string[] {
  return checks.flatMap(({points = []}) =>
    points.map(({name, before, after}) => `${name}  ${before}–${after}`),
  );
}

function checkRows(check: Check, style: Style, width: number): string[] {
  const paint = {holds: style.green, fails: style.red, unchecked: style.dim}[check.state];
  const rows = proseRows(say(texts[check.finding](check), style), width - indent);
  const head = `${paint(marks[check.state])} ${padTo(say(labels[check.check], style), labelWidth)}  `;
  return rows.map((row, index) => (index === 0 ? head : ' '.repeat(indent)) + row);
}

const unknownOrigin = {id: '', seq: 0, hash: ''};

function atEntry(entry: number | undefined): Message {
  if (entry === undefined) return t``;
  return t`; entry ${entry}`;
}

const texts: Readonly<Record<Finding, (check: Check) => Message>> = {
  chained: () => t`every entry follows from the one before it`,
  copied: ({origin: {id, seq, hash} = unknownOrigin}) =>
    t`entries 0 to ${seq} were copied from run ${oneLine(id)}, to its hash ${oneLine(hash)}: verify that run, too`,
  broken: ({entry = 0, detail = ''}) => t`${detail}{:broken ${entry}}`,
  ended: ({entry = 0}) => t`entry ${entry} ends the run`,
  open: () => t`the run is open, and no entry is missing at its end`,
  endMissing: ({entry = 0, detail = ''}) => t`${detail}{:cut ${entry}}`,
  notEnded: ({entry = 0}) =>
    t`entry ${entry} is missing: the run was exported before its end, or its end is lost`,
  afterEnd: ({entry = 0}) => t`entry ${entry} follows the end of the run`,
  replayed: () => t`the charts reach the recorded states, notes and result`,
  diverged: ({entry = 0, detail = ''}) => t`entry ${entry}: ${detail}`,
  otherVersion: ({check, laws = [], entry, detail = ''}) =>
    t`${check === 'laws' ? t`${laws.join(', ')} is not checked: ` : t``}charts of another version recorded the run${atEntry(entry)}: ${detail}`,
  lawsHold: ({laws = []}) => t`${laws.join(', ')} hold`,
  lawBroken: ({laws = [], entry = 0, detail = ''}) =>
    t`${laws.join(', ')} is broken at entry ${entry}: ${detail}`,
  lawUnread: ({laws = [], detail = ''}) => t`${laws.join(', ')} is not checked: ${detail}`,
  signed: ({entry = 0, key = ''}) =>
    t`the end and the decisions of persons are signed with the key ${key}, the last at entry ${entry}`,
  unsigned: () =>
    t`no entry is signed: nothing to sign is recorded, or a version or a journal without a key recorded it`,
  forged: ({entry = 0}) => t`entry ${entry} or one before it is not the one that was signed`,
  signatureMissing: ({entry = 0}) => t`entry ${entry} is not signed`,
  otherKey: ({entry = 0, key = ''}) =>
    t`entry ${entry} is signed with another key, ${key}; give its public key with --key if you trust it`,
  keyMissing: ({entry = 0, key = ''}) =>
    t`entry ${entry} is signed with the key ${key}: give its public key with --key`,
  notReached: ({detail = 'entries are missing or changed'}) => t`not checked: ${detail}`,
};
