/** The commands that continue a suspended run. */

import type {HumanDecision, HumanQuestion} from '../../../machines/domain/human.ts';
import type {RunResult, Waiting} from '../../../machines/domain/result.ts';
import {t, type Message} from '../../../machines/message.ts';
import {isInJapanese} from '../../../machines/questionnaire/answers.ts';
import {say, type Reader} from '../../language.ts';
import {roleOf} from '../../line/options.ts';
import {digestText, meaningOf} from '../question.ts';
import {oneLine, padTo, widthOfText} from '../text.ts';
import {placeInRun} from '../view/place.ts';

/** `isHeaded`: below a line that says that the run is suspended. */
export function continueLines(
  {interaction, error, status, summary, aborted = [], answers}: RunResult,
  {isHeaded = false, ...reader}: Reader & {readonly isHeaded?: boolean} = {},
): string[] {
  const isJapanese = answers !== undefined && isInJapanese(answers);
  const reading: Reader = isJapanese ? {language: 'ja'} : reader;
  const headless = isHeaded ? '' : say(t`suspended; `, reading);
  const when = error ? say(t`when this is fixed, `, reading) : headless;
  const changed = status === 'limited' ? raiseOption(summary) : replaceOption(summary);
  return [
    `${when}${say(t`continue with`, reading)}: quorate resume ${oneLine(interaction)}${changed}`,
    ...aborted.map((what) => `  ${say(t`aborted: ${oneLine(what, 300)}`, reading)}`),
  ];
}

const raiseOptions: Readonly<Record<string, string>> = {
  max_model_calls: ' --max-calls N',
  max_cost_usd: ' --max-cost USD',
  timeout_ms: ' --timeout TIME',
};

/** Without a higher limit, a run that a limit stopped would stop again at once. */
function raiseOption(summary: string): string {
  const name = /[a-z]+(?:_[a-z]+)+/.exec(summary)?.[0] ?? '';
  return Object.hasOwn(raiseOptions, name) ? (raiseOptions[name] ?? '') : '';
}

/** A run whose model rejects every request would stop again at once with the same model. */
function replaceOption(summary: string): string {
  const [, key] = /; to use another model, set ([a-z_]+\.[a-z_]+)/.exec(summary) ?? [];
  return key === undefined ? '' : ` -m ${roleOf(key)}=MODEL`;
}

/** For a run that can't be resumed. */
export function whatIsLeft(id: string): Message {
  const names = ['show', 'export', 'undo'];
  const cancel = `quorate cancel ${oneLine(id)}`;
  const list = names.map((name) => `quorate ${name} ${oneLine(id)}`).join(', ');
  return t`These still work: ${list} and ${cancel}; or start the request again.`;
}

/** The open question, and the folder that it is about. */
type Asked = Pick<Waiting, 'question' | 'workspace' | 'interaction' | 'others'>;

/** For readers who do not see the result: why a person is asked, and the commands that answer; in brief, the first command. */
export function waitingLines(
  id: string,
  asked: Asked,
  {isBrief = false, ...reader}: Reader & {readonly isBrief?: boolean} = {},
): string[] {
  const reason = say(t`waiting for a person: ${reasonOf(asked)}`, reader);
  if (isBrief) return [reason, say(t`decide with: ${`quorate resume ${oneLine(id)}`}`, reader)];
  return [reason, ...answerLines(id, asked, reader)];
}

/** `action (1.2): why`: with the place of the asking interaction, when it is below the root. */
function reasonOf({question: {kind, reason}, interaction = ''}: Asked): string {
  const place = placeInRun(interaction);
  const asker = place === '' ? '' : ` (${oneLine(place, 40)})`;
  return `${kind}${asker}: ${oneLine(reason, 300)}`;
}

export function decidingOn(asked: Asked, reader: Reader): string {
  const {question, workspace, interaction = '', others} = asked;
  const place = placeInRun(interaction);
  const of: Message =
    place === '' ? t`` : t`, for the interaction ${oneLine(place, 40)} below the run's own`;
  const digest = digestText(question.proposalHash, hashesOf(others));
  return say(t`Deciding on sha256 ${digest} in ${oneLine(workspace)}${of}`, reader);
}

function hashesOf(asked: readonly Pick<Waiting, 'question'>[] = []): readonly string[] {
  return asked.map(({question}) => question.proposalHash);
}

interface AnswerView extends Reader {
  readonly isOneOfSeveral?: boolean;
  readonly width?: number;
  /** The digests of all open questions. */
  readonly hashes?: readonly string[];
}

/** The commands that answer, each with its effect, without other questions. */
export function answerCommands(id: string, {question, others}: Asked): readonly Row[] {
  const resume = `quorate resume ${oneLine(id)}`;
  const hashes = hashesOf(others);
  return answerRows(resume, question, {isOneOfSeveral: others !== undefined, hashes});
}

/** The exact commands, each with its effect. `isOneOfSeveral`: they name their question. */
export function answerLines(
  id: string,
  asked: Asked,
  {
    isOneOfSeveral = asked.others !== undefined,
    width = Number.POSITIVE_INFINITY,
    hashes = hashesOf([asked, ...(asked.others ?? [])]),
    ...reader
  }: AnswerView = {},
): string[] {
  const resume = `quorate resume ${oneLine(id)}`;
  const {question, others = []} = asked;
  return [
    decidingOn(asked, reader),
    ...table(
      [
        ...answerRows(resume, question, {isOneOfSeveral, hashes, ...reader}),
        [resume, say(t`Answer on a terminal`, reader)],
        [`quorate show ${oneLine(id)}`, say(t`Look at the whole run`, reader)],
        [`quorate cancel ${oneLine(id)}`, say(t`End the run`, reader)],
      ],
      width,
    ),
    ...others.flatMap((other) => otherLines(resume, other, {width, hashes, ...reader})),
  ];
}

function answerRows(
  resume: string,
  question: HumanQuestion,
  {isOneOfSeveral = false, hashes = [], ...reader}: AnswerView,
): Row[] {
  return question.allowed.map((decision) => [
    `${resume} --decision ${answerTo(question, decision, isOneOfSeveral, hashes)}`,
    decision === 'edit'
      ? say(t`Run the plan in FILE instead`, reader)
      : meaningOf(question, decision, reader).replace(
          say(t`a reason may follow`, reader),
          say(t`--reason TEXT says why`, reader),
        ),
  ]);
}

function otherLines(
  resume: string,
  other: Waiting,
  {width = Number.POSITIVE_INFINITY, hashes = [], ...reader}: AnswerView,
): string[] {
  const {question} = other;
  const digest = digestText(question.proposalHash, hashes);
  return [
    say(t`also waiting: ${reasonOf(other)} (sha256 ${digest})`, reader),
    ...table(answerRows(resume, question, {isOneOfSeveral: true, hashes, ...reader}), width),
  ];
}

/** An approval names its proposal, so that it can't apply to another question. */
function answerTo(
  {proposalHash}: HumanQuestion,
  decision: HumanDecision['decision'],
  isOneOfSeveral: boolean,
  hashes: readonly string[],
): string {
  const digest = digestText(proposalHash, hashes);
  if (decision === 'approve' || decision === 'always') return `${decision}:${digest}`;
  const answer = withOperand(decision);
  return isOneOfSeveral ? `${answer} --gate ${digest}` : answer;
}

/** As `--decision` takes it. */
export function withOperand(decision: HumanDecision['decision']): string {
  if (decision === 'edit') return 'edit:FILE';
  return decision === 'revise' ? 'revise:WORDS' : decision;
}

type Row = readonly [command: string, meaning: string];

/** Where the two columns do not fit, the effect is below the command: a whole command just fits into 60 columns. */
function table(rows: readonly Row[], width: number): string[] {
  const left = Math.max(...rows.map(([command]) => widthOfText(command)));
  const right = Math.max(...rows.map(([, meaning]) => widthOfText(meaning)));
  return left + right + 4 <= width
    ? rows.map(([command, meaning]) => `  ${padTo(command, left)}  ${meaning}`)
    : rows.flatMap(([command, meaning]) => [command, `    ${meaning}`]);
}
