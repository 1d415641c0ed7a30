/** One run in full: its request, plan, votes and actions; apart from it, the commands that continue it. */

import type {
  ContextChange,
  MomentsDiff,
  StateChange,
} from '../../../actors/history/moments-diff.ts';
import type {Peeked} from '../../../actors/history/peek.ts';
import type {Moment} from '../../../actors/history/record.ts';
import type {Entry, InteractionRow, Reaction} from '../../../actors/journal/journal.ts';
import {resultIn} from '../../../actors/run/run-result.ts';
import type {OpenGate, RunState} from '../../../actors/runtime-api.ts';
import {isJsonObject, type Json, type JsonObject} from '../../../machines/domain/json.ts';
import type {Change} from '../../../machines/domain/patch.ts';
import type {Plan} from '../../../machines/domain/plan.ts';
import type {Decision, Placed, RunResult} from '../../../machines/domain/result.ts';
import {type ModelVote, verdictMarks} from '../../../machines/domain/review.ts';
import {decisionsIn, withRefusals} from '../../../machines/facts/fact.ts';
import {type Message, t} from '../../../machines/message.ts';
import type {OpenAsk} from '../../../machines/questionnaire/answers.ts';
import {protocolWord, say, wordIn} from '../../language.ts';
import {
  changesIn,
  currentCost,
  ensembleIn,
  latestPlan,
  recordedTree,
  settingsChangedIn,
  suspensionsIn,
} from '../../past/history.ts';
import {wholeChange} from '../live/calls.ts';
import {ensembleLines} from '../live/debate.ts';
import {answersLines} from '../live/interview.ts';
import {agoText, costText, timeText} from '../numbers.ts';
import {wholeTaskLines} from '../plan.ts';
import {questionLines} from '../question.ts';
import {titles} from '../result/result-titles.ts';
import {footerLines, isDocument, recordLines, resultLines} from '../result/result.ts';
import {decisionLines, voteLines} from '../result/votes.ts';
import {answerLines, whatIsLeft} from '../result/waiting.ts';
import {reasonText} from '../round.ts';
import {type PageView, type Style, section} from '../style.ts';
import {escapedLines, maxLine, oneLine, proseRows} from '../text.ts';
import {rootOf} from '../view/interactions.ts';
import {placeInRun} from '../view/place.ts';
import {openRounds} from '../view/rounds.ts';
import type {RunView} from '../view/run-view.ts';
import {placeText} from './sessions.ts';
import {wholeTreeLines} from './tree.ts';

const otherVersion: Message = t`It can't be resumed: another version of Quorate recorded it.`;

interface Shown {
  readonly row: InteractionRow;
  readonly state: RunState;
  readonly entries: readonly Entry[];
  /** Absent when it has ended, or was recorded by other charts. */
  readonly peeked: Peeked | undefined;
  /** The states of its actors, if it is shown as it was at a point. */
  readonly moment?: Moment;
  /** Of its person. */
  readonly rating?: Reaction;
}

interface ShowView extends PageView {
  /** Epoch ms. */
  readonly now: number;
}

export function showLines(shown: Shown, view: ShowView): string[] {
  const {row, entries, peeked, moment} = shown;
  const {style, width, now} = view;
  const result = resultIn(entries);
  const tree = recordedTree(row, entries, peeked);
  const writes = changesIn(entries);
  const plan = peeked ? planUnderWay(peeked, tree) : (result?.plan ?? latestPlan(entries));
  return [
    `${style.bold(oneLine(row.id))} ${oneLine(row.form)} · ${say(t`opened ${agoText(now - row.openedAt, style)} · ${row.entries} {entry|entries}`, style)}`,
    style.dim(placeText(row) || say(t`no folder`, style)),
    ...originLines(entries, style),
    ...ratingLines(shown.rating, view),
    ...(moment
      ? [style.yellow(say(t`as it was after entry ${moment.entry}, ${timeText(moment.at)}`, style))]
      : []),
    ...section(say(t`Request`, style), escapedLines(row.request), style),
    ...section(
      say(t`Settings changed since`, style),
      settingsChangedIn(entries).map((pair) => oneLine(pair, maxLine)),
      style,
    ),
    ...section(say(t`Suspended and resumed`, style), suspendedLines(entries, width), style),
    ...section(say(t`Interactions`, style), wholeTreeLines(tree, {style, width: width - 2}), style),
    ...section(say(t`Drafts`, style), draftLines(entries, view), style),
    ...(plan ? planLines(plan, view) : []),
    ...section(say(t`Written`, style), writtenLines(writes, result, view), style),
    ...(moment ? section(say(t`States`, style), stateLines(moment, {style, width}), style) : []),
    '',
    ...(result
      ? [...resultLines(result, {...view, writes, isWhole: true}), ...askEnd(result, view)]
      : openLines(shown, tree, view)),
  ];
}

/** None if the report of the result shows the writes, with its changes. */
function writtenLines(
  writes: readonly Change[],
  result: RunResult | undefined,
  {style, width}: ShowView,
): string[] {
  if (result?.changes && !isDocument(result)) return [];
  return writes.flatMap((change) => wholeChange(change, {style, width: width - 2}));
}

function originLines([opened]: readonly Entry[], style: Style): string[] {
  if (opened?.type !== 'opened' || !opened.origin) return [];
  const {id, seq} = opened.origin;
  return [style.dim(say(t`forked from run ${oneLine(id)} after entry ${seq}`, style))];
}

function ratingLines(rating: Reaction | undefined, {style, width}: ShowView): string[] {
  if (!rating) return [];
  const {kind, at, words} = rating;
  const text = say(t`rated ${kind} on ${timeText(at)}`, style);
  return proseRows(words === undefined ? text : `${text}: ${words}`, width);
}

const reasonsToLeave: Readonly<Record<string, string>> = {
  waiting: 'it waited for a person',
  interrupted: 'interrupted',
};

/** `2026-11-22 14:03 · interrupted` */
function suspendedLines(entries: readonly Entry[], width: number): string[] {
  return suspensionsIn(entries).flatMap(({at, why, outage}) =>
    proseRows(`${timeText(at)} · ${outage ?? reasonsToLeave[why] ?? why}`, width - 2),
  );
}

/** The root's current plan; none while a person is asked about one, as the question shows it. */
function planUnderWay({gates}: Peeked, tree: RunView): Plan | undefined {
  return gates.some(({question}) => question.plan) ? undefined : rootOf(tree).plan;
}

/** Details beyond the answer. */
function askEnd(result: RunResult, {style, width}: ShowView): string[] {
  if (!isDocument(result)) return [];
  const steps = (result.steps ?? []).map(({thought, action, input, observation}) =>
    oneLine(
      `${thought === '' ? '' : `${thought} `}${action} ${JSON.stringify(input)} → ${observation}`,
      maxLine,
    ),
  );
  return [
    ...section(say(t`Steps`, style), steps, style),
    ...section(
      say(titles.others, style),
      decisionLines(result, {width, language: style.language}),
      style,
    ),
    ...recordLines(result, {style, width, isWhole: true}),
    '',
    `${result.status}${result.stoppedReason === undefined ? '' : ` (${result.stoppedReason})`}`,
    ...footerLines(result, {style, width}),
  ];
}

function draftLines(entries: readonly Entry[], {style, width}: ShowView): string[] {
  const ensemble = ensembleIn(entries);
  return ensemble ? ensembleLines(ensemble, style, width) : [];
}

function planLines(plan: Plan, {style, width}: ShowView): string[] {
  const {objective} = plan;
  return section(
    say(t`Plan`, style),
    [...proseRows(objective, width), ...wholeTaskLines(plan, width, style)],
    style,
  );
}

function openLines(shown: Shown, tree: RunView, view: ShowView): string[] {
  const {row, state, entries, peeked, moment} = shown;
  const {style, now} = view;
  const costUsd = currentCost(entries);
  const {gates = [], asks = []} = peeked ?? {};
  return [
    ...(moment
      ? []
      : [
          say(
            t`${style.yellow(wordIn(state, style))}: the last entry is from ${agoText(now - row.updatedAt, style)}`,
            style,
          ),
        ]),
    ...(costUsd === undefined ? [] : [say(t`cost so far: ${costText(costUsd)}`, style)]),
    ...(peeked ? statusLines(peeked, tree, view) : []),
    ...gates.flatMap((gate) => gateLines(gate, view)),
    ...asks.flatMap((ask) => askLines(ask, view)),
  ];
}

/** The commands that answer its questions or continue it; of a moment, the one that forks it there. */
export function nextLines({row, state, peeked, moment}: Shown, view: ShowView): string[] {
  const {style} = view;
  const [id, {gates = []}] = [oneLine(row.id), peeked ?? {}];
  if (moment)
    return [
      say(t`Continue from here in a new run: quorate fork ${id} --at ${moment.entry}`, style),
    ];
  if (row.status !== undefined) return [];
  if (gates.length === 0) return goOnLines(row, state, style);
  const hashes = gates.map(({question}) => question.proposalHash);
  return gates.flatMap((gate) => answerHint(row, gate, {...view, hashes}));
}

function goOnLines(
  {id: given, machine, isForWorkers}: InteractionRow,
  state: RunState,
  style: Style,
): string[] {
  const id = oneLine(given);
  const worker =
    machine === undefined ? 'quorate worker' : say(t`quorate worker on ${machine}`, style);
  const left = say(whatIsLeft(id), style);
  if (state === 'outdated') return [`${say(otherVersion, style)} ${left}`];
  if (state === 'damaged') return [left];
  if (state === 'imported') return [];
  return [
    ...(isForWorkers ? [say(t`A worker continues it: ${worker}`, style)] : []),
    say(t`Continue with: quorate resume ${id}`, style),
    say(t`End it with: quorate cancel ${id}`, style),
  ];
}

/** `interview (1.2) asks:`, and the message. */
function askLines({message, interaction}: OpenAsk, {style, width}: ShowView): string[] {
  const place = placeInRun(interaction);
  const who = place === '' ? 'the interview' : `the interview ${oneLine(place, 40)}`;
  return [
    '',
    style.yellow(`waiting for a reply: ${who} asks`),
    ...proseRows(message, width - 2, '  '),
  ];
}

/** The votes are shown above. */
function gateLines({question}: OpenGate, view: ShowView): string[] {
  const alone = {...question, history: []};
  return [
    '',
    view.style.yellow(say(t`waiting for a person: ${protocolWord(question.kind)}`, view.style)),
    ...proseRows(question.reason, view.width),
    '',
    ...questionLines(alone, view),
  ];
}

function answerHint(
  {id, workspace}: InteractionRow,
  {question, interaction}: OpenGate,
  {hashes, width, style}: ShowView & {readonly hashes: readonly string[]},
): string[] {
  const {language} = style;
  const gate = {question, workspace, interaction};
  return answerLines(id, gate, {isOneOfSeveral: hashes.length > 1, hashes, width, language});
}

function statusLines(
  {reports, underWay, interview}: Peeked,
  tree: RunView,
  {style, width}: ShowView,
): string[] {
  const {phase} = rootOf(tree);
  const rounds = tree.rounds.flatMap(({decided, interaction}) =>
    decided ? [{...decided, interaction}] : [],
  );
  const votes = openRounds(tree).flatMap((round) => round.votes);
  return [
    ...(phase === '' ? [] : [say(t`phase: ${protocolWord(phase)}`, style)]),
    ...section(
      say(t`Answers`, style),
      interview ? answersLines(interview.answers, {style, width: width - 2}) : [],
      style,
    ),
    ...section(
      say(t`Votes`, style),
      voteLines(rounds, {style, width, all: true, whole: true}),
      style,
    ),
    ...section(
      say(titles.others, style),
      decisionLines(
        {decisions: decisionsAmong(reports), reviews: rounds},
        {width, language: style.language},
      ),
      style,
    ),
    ...section(
      say(t`Ballots of the open round`, style),
      votes.flatMap((vote) => ballotLines(vote, width)),
      style,
    ),
    ...section(say(t`In flight, when it is resumed`, style), inFlightLines(underWay, width), style),
  ];
}

function inFlightLines(underWay: readonly string[], width: number): string[] {
  return underWay.flatMap((what) => proseRows(what, width - 2));
}

function ballotLines(vote: ModelVote, width: number): string[] {
  return proseRows(`${verdictMarks[vote.verdict]} ${reasonText(vote)}`, width - 2);
}

function decisionsAmong(reports: Peeked['reports']): Placed<Decision>[] {
  return withRefusals(reports).flatMap((report) =>
    decisionsIn([report]).map((decision) =>
      Object.assign(decision, {interaction: report.interaction}),
    ),
  );
}

// The difference between two points of a run, and the states of its actors at one.

/** Changes of contexts beyond this number are counted. */
const maxContexts = 40;
/** The shortest useful text of a value. */
const minValue = 20;

/** The states of the actors, each below its parent. */
function stateLines({actors}: Moment, {style, width}: PageView): string[] {
  return actors.map(({path, state}) => {
    const parts = path.split('/');
    const indent = '  '.repeat(parts.length - 1);
    const name = parts.at(-1) ?? path;
    const shown = oneLine(name, Math.max(width - indent.length, minValue));
    return `${indent}${shown}  ${style.dim(oneLine(stateText(state)))}`;
  });
}

export function diffLines(diff: MomentsDiff, view: PageView): string[] {
  const {style} = view;
  const {from, to, states, contexts, decisions, files} = diff;
  const width = Math.max(view.width - 2, minValue);
  const shown = contexts.slice(0, maxContexts);
  return [
    say(t`from entry ${from} to entry ${to}`, style),
    ...section(
      say(t`States`, style),
      states.map((change) => oneLine(stateChange(change), width)),
      style,
    ),
    ...section(
      say(t`Decisions and messages`, style),
      decisions.map(({entry, what}) => oneLine(`${entry}  ${decisionText(what)}`, width)),
      style,
    ),
    ...section(
      say(t`Files`, style),
      filesText(files, say(t`unknown: an earlier version recorded the run`, style)),
      style,
    ),
    ...section(
      say(t`Contexts`, style),
      [
        ...shown.map((change) => contextLine(change, width)),
        ...(contexts.length > maxContexts
          ? [say(t`… ${contexts.length - maxContexts} more: --output json has all`, style)]
          : []),
      ],
      style,
    ),
    ...(states.length + contexts.length + decisions.length + (files?.length ?? 0) === 0
      ? [say(t`Nothing changed.`, style)]
      : []),
  ];
}

function stateChange({path, from, to}: StateChange): string {
  if (from === undefined) return `+ ${path}  ${stateText(to ?? null)}`;
  if (to === undefined) return `- ${path}  ${stateText(from)}`;
  return `  ${path}  ${stateText(from)} → ${stateText(to)}`;
}

/** `reviewingPlan`, or of nested and parallel states `working.thinking, timing`. */
function stateText(state: Json): string {
  if (typeof state === 'string') return state;
  if (!isJsonObject(state)) return '';
  return Object.entries(state)
    .map(([name, below]) => {
      const inner = stateText(below);
      return inner === '' ? name : `${name}.${inner}`;
    })
    .join(', ');
}

function decisionText(what: JsonObject): string {
  const parts = ['type', 'summary', 'verdict', 'decision', 'text', 'reason', 'task', 'status'];
  const words = parts.flatMap((part) => {
    const value = what[part];
    return typeof value === 'string' ? [value] : [];
  });
  return words.join(' · ');
}

function filesText(files: MomentsDiff['files'], unknown: string): string[] {
  if (!files) return [unknown];
  return files.map(({path, from, to}) => {
    if (from === undefined) return `+ ${oneLine(path)}`;
    return to === undefined ? `- ${oneLine(path)}` : `~ ${oneLine(path)}`;
  });
}

function contextLine({path, member, from, to}: ContextChange, width: number): string {
  const name = `${path.split('/').at(-1) ?? path}.${member}`;
  const half = Math.max(minValue, Math.floor((width - name.length) / 2) - 3);
  const [before, after] = [from, to].map((value) =>
    value === undefined ? '—' : oneLine(JSON.stringify(value), half),
  );
  return oneLine(`${name}: ${before} → ${after}`, width);
}
