/** The commands that continue a suspended run. */

import type {HumanDecision, HumanQuestion} from '../../../machines/domain/human.ts';
import type {RunResult, Waiting} from '../../../machines/domain/result.ts';
import {isInJapanese} from '../../../machines/questionnaire/answers-text.ts';
import {meaningOf} from '../question.ts';
import {oneLine, padTo, widthOfText} from '../text.ts';
import {placeInRun} from '../view/place.ts';

/** Digits of a digest: enough to be unique. */
const digestDigits = 12;

const continueWords = {
  en: {suspended: 'suspended; ', fixed: 'when this is fixed, ', continue: 'continue with'},
  ja: {suspended: '中断しました。', fixed: '解決したら、', continue: '再開するには'},
} as const;

/** `isHeaded`: below a line that says that the run is suspended. */
export function continueLines(
  {interaction, error, status, summary, aborted = [], answers}: RunResult,
  {isHeaded = false} = {},
): string[] {
  const words = continueWords[answers && isInJapanese(answers) ? 'ja' : 'en'];
  const headless = isHeaded ? '' : words.suspended;
  const when = error ? words.fixed : headless;
  const raised = status === 'limited' ? raiseOption(summary) : '';
  return [
    `${when}${words.continue}: quorate resume ${oneLine(interaction)}${raised}`,
    ...aborted.map((what) => `  broken off: ${oneLine(what, 300)}`),
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

/** For a run that can't be resumed. */
export function whatIsLeft(id: string): string {
  const commands = ['show', 'export', 'undo'].map((name) => `quorate ${name} ${oneLine(id)}`);
  return `These still work: ${commands.join(', ')} and quorate cancel ${oneLine(id)}; or start the request again.`;
}

/** The open question, and the folder that it is about. */
type Asked = Pick<Waiting, 'question' | 'workspace' | 'interaction' | 'others'>;

/** For readers who do not see the result: why a person is asked, and the commands that answer; in brief, the first command. */
export function waitingLines(id: string, asked: Asked, {isBrief = false} = {}): string[] {
  const reason = `waiting for a person: ${reasonOf(asked)}`;
  if (isBrief) return [reason, `decide with: quorate resume ${oneLine(id)}`];
  return [reason, ...answerLines(id, asked)];
}

/** `action (1.2): why`: with the place of the asking interaction, when it is below the root. */
function reasonOf({question: {kind, reason}, interaction = ''}: Asked): string {
  const place = placeInRun(interaction);
  const asker = place === '' ? '' : ` (${oneLine(place, 40)})`;
  return `${kind}${asker}: ${oneLine(reason, 300)}`;
}

export function decidingOn({question, workspace, interaction = ''}: Asked): string[] {
  const place = placeInRun(interaction);
  return [
    `Deciding on sha256 ${oneLine(question.proposalHash, 64)}`,
    `in ${oneLine(workspace)}`,
    ...(place === '' ? [] : [`for the interaction ${oneLine(place, 40)} below the run's own`]),
  ];
}

interface AnswerView {
  readonly isOneOfSeveral?: boolean;
  readonly width?: number;
}

/** The exact commands, each with its effect. `isOneOfSeveral`: they name their question. */
export function answerLines(
  id: string,
  asked: Asked,
  {isOneOfSeveral = asked.others !== undefined, width = Number.POSITIVE_INFINITY}: AnswerView = {},
): string[] {
  const resume = `quorate resume ${oneLine(id)}`;
  return [
    ...decidingOn(asked),
    ...table(
      [
        ...answerRows(resume, asked.question, isOneOfSeveral),
        [resume, 'Be asked on a terminal'],
        [`quorate show ${oneLine(id)}`, 'Look at the whole run'],
        [`quorate cancel ${oneLine(id)}`, 'End the run'],
      ],
      width,
    ),
    ...(asked.others ?? []).flatMap((other) => otherLines(resume, other, width)),
  ];
}

function answerRows(resume: string, question: HumanQuestion, isOneOfSeveral: boolean): Row[] {
  return question.allowed.map((decision) => [
    `${resume} --decision ${answerTo(question, decision, isOneOfSeveral)}`,
    decision === 'edit'
      ? 'Run the plan in FILE instead'
      : meaningOf(question, decision).replace('a reason may follow', '--reason TEXT says why'),
  ]);
}

function otherLines(resume: string, other: Waiting, width: number): string[] {
  const {question} = other;
  return [
    `also waiting: ${reasonOf(other)} (sha256 ${oneLine(question.proposalHash, 64)})`,
    ...table(answerRows(resume, question, true), width),
  ];
}

/** An approval names its proposal, so that it can't apply to another question. */
function answerTo(
  {proposalHash}: HumanQuestion,
  decision: HumanDecision['decision'],
  isOneOfSeveral: boolean,
): string {
  const digest = oneLine(proposalHash.slice(0, digestDigits));
  if (decision === 'approve' || decision === 'always') return `${decision}:${digest}`;
  const answer = decision === 'edit' ? 'edit:FILE' : decision;
  return isOneOfSeveral ? `${answer} --gate ${digest}` : answer;
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
