/** The verdicts of the policy reviewers on commands: from a line of standard input to the report. */

import {z} from 'zod';

import type {CommandAsked, Explainer} from '../../actors/policies/explain.ts';
import type {Judgement} from '../../actors/policies/index.ts';
import {containedReason} from '../../machines/domain/review.ts';
import type {Confinement} from '../../machines/domain/tool.ts';
import {t} from '../../machines/message.ts';
import type {EffectKind} from '../../tools/commands/understanding.ts';
import {type Reader, say} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import type {PageView, Paint, Style} from '../render/style.ts';
import {escapedLines, oneLine, padTo, proseRows} from '../render/text.ts';
import type {Input} from '../terminal.ts';

export interface Explained {
  readonly command: string;
  readonly verdict: Judgement['verdict'];
  /** `scope` is null when no request was given. */
  readonly by: Judgement['by'];
  readonly effects: readonly ShownEffect[];
  /** `safety/mass-delete` … */
  readonly rules: readonly string[];
  /** Words, programs and constructs that could not be analysed. */
  readonly unknown: readonly string[];
  readonly reasons: readonly string[];
  /** How commands are confined here. */
  readonly grade: Confinement;
  /** All changes in the workspace could be undone. */
  readonly undoable: boolean;
}

interface ShownEffect {
  readonly effect: EffectKind;
  /** Of a place: relative to the workspace, `.` for the workspace itself; absolute outside of it. */
  readonly target: string;
  /** It affects more than the one named file. */
  readonly wide?: true;
  /** The simple command that has it. */
  readonly by: string;
}

export async function explained(
  asked: CommandAsked,
  {explain}: Pick<Explainer, 'explain'>,
): Promise<Explained> {
  const {verdict, by, effects, rules, unknown, reasons, grade} = await explain(asked);
  const shown = effects.map(({kind: effect, place, wide, by: command, ...named}): ShownEffect => {
    const target = place?.path === '' ? '.' : named.target;
    return wide ? {effect, target, wide, by: command} : {effect, target, by: command};
  });
  const {command} = asked;
  const known = {command, verdict, by, effects: shown, rules, unknown, reasons};
  return {...known, grade: grade.by, undoable: grade.isRestorable};
}

/** 0 approve, 1 refuse, 4 a person must decide. */
export function exitCodeOf({verdict}: Explained): number {
  return {approve: 0, refuse: 1, cannot_judge: 4}[verdict];
}

// Reads commands to judge, one a line.

const questionSchema = z.object({
  command: z.string().regex(/\S/, 'is blank'),
  request: z.string().nullish(),
});

export interface Question {
  readonly command: string;
  readonly request?: string;
}

/** Bytes. Policies analyse only much shorter commands. */
const maxLine = 1_000_000;

/** Yields each question as soon as its line is read. Throws AppError `usage` that names the line for an empty question. */
export async function* questionsIn(stdin: Input): AsyncGenerator<Question> {
  let number = 0;
  for await (const bytes of linesIn(stdin)) {
    number += 1;
    const line = lineText(bytes, number);
    if (line.trim() !== '') yield readQuestion(line, number);
  }
}

async function* linesIn(stdin: Input): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let length = 0;
  const end = (rest: Buffer): Buffer => {
    length = 0;
    return Buffer.concat([...begun.splice(0), rest]);
  };
  for await (const chunk of stdin) {
    let left = Buffer.from(chunk);
    for (let at = left.indexOf('\n'); at >= 0; at = left.indexOf('\n')) {
      yield end(left.subarray(0, at));
      left = left.subarray(at + 1);
    }
    length += left.length;
    if (length > maxLine) yield end(left);
    else begun.push(left);
  }
  yield end(Buffer.of());
}

/** Invalid UTF-8 would be judged as a different text from the one that runs. */
function lineText(bytes: Buffer, number: number): string {
  if (bytes.length > maxLine) {
    throw usageError(t`line ${number} of standard input is longer than ${maxLine} bytes`);
  }
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    throw usageError(t`line ${number} of standard input is not UTF-8 text`);
  }
}

function readQuestion(line: string, number: number): Question {
  const parsed = questionSchema.safeParse(jsonOf(line));
  if (!parsed.success) {
    throw usageError(t`line ${number} of standard input is not {"command": "…", "request": "…"}`);
  }
  const {command, request} = parsed.data;
  return {command, ...(request ? {request} : {})};
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

// The policy reviewers' verdict on a command, for people.

const verdicts = {approve: t`APPROVE`, refuse: t`REFUSE`, cannot_judge: t`CAN'T JUDGE`};
const lineNames = {
  reads: t`reads`,
  writes: t`writes`,
  runs: t`runs{:command}`,
  reaches: t`reaches`,
};

/** The verdict, the command, and its lines: what it reads, writes, runs and reaches, how it is confined, and why. */
export function policyLines(found: Explained, {style, width}: PageView): string[] {
  const {verdict, command} = found;
  return [
    paintOf(verdict, style)(say(verdicts[verdict], style)),
    ...escapedLines(command).map((line) => `  $ ${line}`),
    ...lines.flatMap((name) => {
      const targets = targetsOf(found, name, style);
      if (targets === '' && name === 'runs') return [];
      const text = targets === '' ? say(t`nothing that its words name`, style) : targets;
      return `  ${padTo(say(lineNames[name], style), column)}${oneLine(text, width - column - 2)}`;
    }),
    `  ${padTo(say(t`grade`, style), column)}${gradeText(found, style)}`,
    ...reasonRows(found, width, style),
  ];
}

/** How the command is confined. */
function gradeText({grade, undoable}: Explained, reader: Reader): string {
  if (grade === 'none') return say(t`none: commands run unconfined here`, reader);
  return undoable
    ? say(t`${grade}; its changes can be undone`, reader)
    : say(t`${grade}; not all of its changes can be undone`, reader);
}

const lines = ['reads', 'writes', 'runs', 'reaches'] as const;

const kinds: Readonly<Record<EffectKind, (typeof lines)[number]>> = {
  reads: 'reads',
  lists: 'reads',
  reveals: 'reads',
  creates: 'writes',
  appends: 'writes',
  edits: 'writes',
  writes: 'writes',
  empties: 'writes',
  moves: 'writes',
  deletes: 'writes',
  records: 'writes',
  discards: 'writes',
  runs: 'runs',
  fetches: 'reaches',
  sends: 'reaches',
  installs: 'reaches',
  publishes: 'reaches',
  signals: 'reaches',
  alters: 'reaches',
};

/** The width of the names of the lines, with a space. */
const column = 9;
const maxTargets = 20;

/** `package.json, src (more than one file)` */
function targetsOf({effects}: Explained, line: (typeof lines)[number], style: Style): string {
  const own = effects.filter(({effect, target}) => kinds[effect] === line && target !== '');
  const targets = [...new Set(own.map((effect) => targetText(effect, style)))];
  const rest = targets.length - maxTargets;
  const more = rest > 0 ? say(t`, and ${rest} more`, style) : '';
  return `${targets.slice(0, maxTargets).join(', ')}${more}`;
}

/** `  why      …`: the reason of an approval, or the reasons against one. */
function reasonRows({verdict, reasons, unknown}: Explained, width: number, style: Style): string[] {
  const why =
    verdict === 'approve'
      ? [
          reasons.some((reason) => reason.startsWith(containedReason))
            ? say(t`It runs confined, and its changes can be undone.`, style)
            : say(t`It only reads, or runs a usual check.`, style),
        ]
      : reasons;
  const texts =
    verdict === 'cannot_judge' && unknown.length > 0
      ? [say(t`No rule decides: the models that vote, or a person.`, style), ...why]
      : why;
  return texts.flatMap((text, at) => {
    const rows = proseRows(text, width - column - 2);
    return rows.map((row, index) => {
      const isFirst = at === 0 && index === 0;
      return `  ${padTo(isFirst ? say(t`why`, style) : '', column)}${row}`;
    });
  });
}

function paintOf(verdict: Judgement['verdict'], style: Style): Paint {
  if (verdict === 'approve') return style.green;
  return verdict === 'refuse' ? style.red : style.yellow;
}

function targetText({target, wide}: ShownEffect, reader: Reader): string {
  const name = target === '.' ? say(t`the workspace`, reader) : target;
  return wide ? say(t`${name} (more than one file)`, reader) : name;
}
