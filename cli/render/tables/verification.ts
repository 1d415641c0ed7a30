/** The checks of a verified run: one line each, with a mark. */

import type {Check, CheckName, Finding, Verification} from '../../../actors/verify/checks/check.ts';
import {inLanguages, say, type Texts} from '../../language.ts';
import {countText} from '../numbers.ts';
import {section} from '../result/result.ts';
import type {Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';
import {momentTexts} from './moment-texts.ts';

const marks = {holds: '✓', fails: '✗', unchecked: '–'} as const;

const labels = inLanguages<Readonly<Record<CheckName, string>>>({
  en: {
    chain: 'chain     ',
    end: 'end       ',
    replay: 'replay    ',
    laws: 'laws      ',
    signatures: 'signatures',
  },
  ja: {
    chain: '鎖        ',
    end: '末尾      ',
    replay: '再生      ',
    laws: '法則      ',
    signatures: '署名      ',
  },
});

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
  const count = say({en: countText(entries, 'entry', 'entries'), ja: `${entries} 項目`}, style);
  return [
    `${style.bold(oneLine(id))} ${count}`,
    ...checks.flatMap((each) => checkRows(each, style, width)),
    ...(isVerbose ? section(momentTexts(style).points, pointRows(checks), style) : []),
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
  const head = `${paint(marks[check.state])} ${labels(style)[check.check]}  `;
  return rows.map((row, index) => (index === 0 ? head : ' '.repeat(indent)) + row);
}

const unknownOrigin = {id: '', seq: 0, hash: ''};

function atEntry(entry: number | undefined): Texts {
  if (entry === undefined) return {en: '', ja: ''};
  return {en: `; entry ${entry}`, ja: `。項目 ${entry}`};
}

const texts: Readonly<Record<Finding, (check: Check) => Texts>> = {
  chained: () => ({
    en: 'every entry follows from the one before it',
    ja: 'すべての項目が前の項目につながっています',
  }),
  copied: ({origin: {id, seq, hash} = unknownOrigin}) => ({
    en: `entries 0 to ${seq} were copied from run ${oneLine(id)}, to its hash ${oneLine(hash)}: verify that run, too`,
    ja: `項目 0 から ${seq} は実行 ${oneLine(id)} (ハッシュ ${oneLine(hash)} まで) の写しです。その実行も確かめてください`,
  }),
  broken: ({entry, detail = ''}) => ({
    en: detail,
    ja: `項目 ${entry} で切れています (${detail})`,
  }),
  ended: ({entry}) => ({en: `entry ${entry} ends the run`, ja: `項目 ${entry} で終わっています`}),
  open: () => ({
    en: 'the run is open, and no entry is missing at its end',
    ja: '未完了の実行です。末尾に欠けた項目はありません',
  }),
  endMissing: ({entry, detail = ''}) => ({
    en: detail,
    ja: `項目 ${entry} から後が欠けています (${detail})`,
  }),
  notEnded: ({entry}) => ({
    en: `entry ${entry} is missing: the run was exported before its end, or its end is lost`,
    ja: `項目 ${entry} がありません: 実行の終わりの前に書き出されたか、末尾が失われています`,
  }),
  afterEnd: ({entry}) => ({
    en: `entry ${entry} follows the end of the run`,
    ja: `項目 ${entry} が実行の終わりの後にあります`,
  }),
  replayed: () => ({
    en: 'the charts reach the recorded states, notes and result',
    ja: 'チャートは、記録と同じ状態、メモ、結果に達します',
  }),
  diverged: ({entry, detail = ''}) => ({
    en: `entry ${entry}: ${detail}`,
    ja: `項目 ${entry} で記録と異なります (${detail})`,
  }),
  otherVersion: ({check, laws = [], entry, detail = ''}) => ({
    en: `${check === 'laws' ? `${laws.join(', ')} is not checked: ` : ''}charts of another version recorded the run${atEntry(entry).en}: ${detail}`,
    ja: `${check === 'laws' ? `${laws.join(', ')} は確かめられません: ` : ''}別の版のチャートが記録した実行です${atEntry(entry).ja} (${detail})`,
  }),
  lawsHold: ({laws = []}) => ({
    en: `${laws.join(', ')} hold`,
    ja: `${laws.join(', ')} は守られています`,
  }),
  lawBroken: ({laws = [], entry, detail = ''}) => ({
    en: `${laws.join(', ')} is broken at entry ${entry}: ${detail}`,
    ja: `項目 ${entry} は ${laws.join(', ')} に反します (${detail})`,
  }),
  lawUnread: ({laws = [], detail = ''}) => ({
    en: `${laws.join(', ')} is not checked: ${detail}`,
    ja: `${laws.join(', ')} は確かめられません (${detail})`,
  }),
  signed: ({entry, key}) => ({
    en: `the end and the decisions of persons are signed with the key ${key}, the last at entry ${entry}`,
    ja: `終わりと人の決定は鍵 ${key} で署名されています。最後の署名は項目 ${entry} です`,
  }),
  unsigned: () => ({
    en: 'no entry is signed: nothing to sign is recorded, or a version or a journal without a key recorded it',
    ja: '署名はありません: 署名するものがまだないか、鍵のない版やジャーナルが記録しました',
  }),
  forged: ({entry}) => ({
    en: `entry ${entry} or one before it is not the one that was signed`,
    ja: `項目 ${entry} かその前の項目は、署名されたものと異なります`,
  }),
  signatureMissing: ({entry}) => ({
    en: `entry ${entry} is not signed`,
    ja: `項目 ${entry} に署名がありません`,
  }),
  otherKey: ({entry, key}) => ({
    en: `entry ${entry} is signed with another key, ${key}; give its public key with --key if you trust it`,
    ja: `項目 ${entry} は別の鍵 ${key} で署名されています。信頼できるなら、その公開鍵を --key で渡してください`,
  }),
  keyMissing: ({entry, key}) => ({
    en: `entry ${entry} is signed with the key ${key}: give its public key with --key`,
    ja: `項目 ${entry} は鍵 ${key} で署名されています。その公開鍵を --key で渡してください`,
  }),
  notReached: ({detail = 'entries are missing or changed'}) => ({
    en: `not checked: ${detail}`,
    ja: `確かめていません (${detail})`,
  }),
};
