/** Commands that show the state of a conversation and change nothing. */

import {runStateOf, tryPeekRun} from '../../actors/sessions/run-state.ts';
import {type Message, t} from '../../machines/message.ts';
import {commandLines} from '../gate/screen.ts';
import {say, type Reader} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {findRow} from '../past/find-run.ts';
import {nextLines, showLines} from '../render/tables/show.ts';
import {costLines, treeLines} from '../render/tables/tree.ts';
import {oneLine, padTo, widthOfText, wrapWords} from '../render/text.ts';
import {placeOf} from '../render/view/session-view.ts';
import type {CommandSpec} from './command.ts';
import {interactionAt} from './interactions.ts';
import {commandTable, noCommand, specOf} from './parse.ts';
import type {Root} from './roots.ts';
import {conversationRoots, isConversation, note, type Chat, type Talk} from './talk.ts';

const footing = [
  t`!COMMAND runs a shell command of your own, without a vote, confined like the commands of tasks.`,
  t`It is recorded, later tasks receive its output, and /undo reverts it.`,
  t`Text without a slash is a new task, or is sent to the focused interaction.`,
  t`A line that ends in \\ continues in the next one.`,
  t`Tab completes commands. Ctrl-C suspends running interactions; pressed again, it leaves. Ctrl-D leaves.`,
];

/** The interactions with their states. */
export function showTree(talk: Talk): void {
  const {roots, ui, focus} = talk;
  const shown = shownRoots(talk);
  const runs = shown.map(({view}) => view);
  const focused = focus.get();
  ui.print(
    runs.length === 0
      ? [say(t`nothing was begun yet: type a task`, ui.style)]
      : treeLines(runs, {...lookOf(talk), ...(focused ? {focus: focused.id} : {})}),
  );
  const others = roots.working().filter((root) => !shown.includes(root));
  if (others.length === 0) return;
  const numbers = others.map(({number}) => number).join(', ');
  note(ui, t`still running from an earlier conversation: ${numbers}`, ui.style.dim);
}

export function showCost(talk: Talk): void {
  const runs = shownRoots(talk).map(({view}) => view);
  talk.ui.print(costLines(runs, lookOf(talk)));
}

function shownRoots(talk: Talk): readonly Root[] {
  return isConversation(talk) ? conversationRoots(talk) : talk.roots.all();
}

function lookOf({roots, ui}: Talk) {
  const nameOf = (id: string): string => placeOf(roots.view(), id);
  return {style: ui.style, width: ui.size().width, nameOf};
}

/** Shows the settings that differ from the defaults, and their sources. */
export function showConfig({settings, ui}: Chat): void {
  const set = settings
    .loaded()
    .explain()
    .filter(({source}) => source !== 'default')
    .map(({key, value, source}) => {
      const pair = oneLine(`${key} = ${JSON.stringify(value)}`, 1000);
      return `  ${pair}  ${ui.style.dim(oneLine(source, 300))}`;
    });
  ui.print(set.length === 0 ? [say(t`every setting is the default`, ui.style)] : set);
}

/** Without a place: the question that waits for the person, else the focused interaction, else the latest. */
export async function show(place: string | undefined, talk: Talk): Promise<void> {
  const {questions, ui} = talk;
  const waiting = questions.gates();
  const asked = place === undefined ? waiting[0] : waiting.find((each) => each.place === place);
  if (asked) return await questions.showWhole(asked);
  const wanted = place === undefined ? latest(talk) : interactionAt(place, talk).root;
  if (!wanted) {
    throw usageError(t`there is nothing to show yet`);
  }
  if (!isConversation(talk)) {
    throw usageError(t`no question is open; for the run itself: quorate show ${wanted.id}`);
  }
  const {journal} = talk;
  const row = await findRow(journal, wanted.id);
  const {entries} = await journal.log.salvage(row.id);
  const peeked = row.status === undefined ? await tryPeekRun(row.id, entries) : undefined;
  const shown = {row, state: await runStateOf(row, journal), entries, peeked};
  const view = {style: ui.style, width: ui.size().width, now: Date.now()};
  const next = nextLines(shown, view);
  ui.print([...showLines(shown, view), ...(next.length > 0 ? ['', ...next] : [])]);
}

function latest(talk: Talk): Root | undefined {
  return talk.focus.get()?.root ?? shownRoots(talk).at(-1);
}

/** All commands, or one of them; in one run those of the open question. Throws AppError `usage` for an unknown name. */
export function help(what: string, talk: Talk): void {
  const name = what.replace(/^\//, '').toLowerCase();
  const spec = specOf(name);
  const {style, size, print} = talk.ui;
  const {width} = size();
  if (name === '') return print(commandHelp(talk));
  if (!spec) throw usageError(noCommand(name));
  const {summary, detail} = spec;
  print([
    style.bold(usageOf(name, spec)),
    ...[say(summary, style), ...(detail ? ['', ...say(detail, style).split('\n')] : [])].flatMap(
      (line) => wrapWords(line, width),
    ),
  ]);
}

function commandHelp(talk: Talk): readonly string[] {
  const {ui, questions} = talk;
  const {style} = ui;
  const {width} = ui.size();
  const footer = (texts: readonly Message[]): readonly string[] =>
    texts.flatMap((text) => wrapWords(say(text, style), width));
  const all = Object.entries(commandTable);
  if (isConversation(talk)) return [...commandRows(all, width, style), '', ...footer(footing)];
  const [gate] = questions.gates();
  if (gate) return commandLines(gate.open.question, style);
  const inRun = questions.answering() ? 'interview' : 'always';
  const listed = all.filter(([name, spec]) => spec.inRun === inRun || /^(?:quit|help)$/.test(name));
  const bare = listed.map(([name, {summary}]) => [name, {summary}] as const);
  return inRun === 'interview'
    ? [...commandRows(bare, width, style), ...footer(answerFooting).map(style.dim)]
    : [...commandRows(listed, width, style), ...footer([runFooting])];
}

const answerFooting = [
  t`A line that ends in \\ continues in the next one. // begins an answer that begins with a slash.`,
];
const runFooting = t`Text without a slash is sent to the run, which reads it at its next turn.`;

type CommandRow = readonly [name: string, spec: Pick<CommandSpec, 'takes' | 'summary'>];

function usageOf(name: string, {takes}: Pick<CommandSpec, 'takes'>): string {
  return `/${name}${takes === undefined ? '' : ` ${takes}`}`;
}

function commandRows(specs: readonly CommandRow[], width: number, reader: Reader): string[] {
  const rows = specs.map(([name, spec]) => {
    const {takes = ''} = spec;
    const usage = widthOfText(takes) > maxTakes ? `/${name} …` : usageOf(name, spec);
    return [`  ${usage}`, say(spec.summary, reader)] as const;
  });
  const column = Math.max(...rows.map(([left]) => left.length)) + 2;
  const isNarrow = width < column + leastSummary;
  return rows.flatMap(([left, right]) =>
    isNarrow
      ? below(left, wrapWords(right, width - 6))
      : besides(left, wrapWords(right, width - column), column),
  );
}

function below(left: string, rows: readonly string[]): string[] {
  return [left, ...rows.map((row) => `      ${row}`)];
}

function besides(left: string, rows: readonly string[], column: number): string[] {
  return rows.map((row, index) => padTo(index === 0 ? left : '', column) + row);
}

/** Longer usages are shown only in the help of their command. */
const maxTakes = 22;
/** With less room, a summary is on the row below its command. */
const leastSummary = 24;
