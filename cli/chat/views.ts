/** Commands that show the state of a conversation and change nothing. */

import {runStateOf, tryPeekRun} from '../../actors/sessions/run-state.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {findRow} from '../past/find-run.ts';
import {nextLines, showLines} from '../render/tables/show.ts';
import {costLines, treeLines} from '../render/tables/tree.ts';
import {oneLine, padTo, widthOfText, wrapWords} from '../render/text.ts';
import {placeOf} from '../render/view/session-view.ts';
import {conversationRoots, note, type Chat} from './chat.ts';
import type {CommandSpec} from './command.ts';
import {commandTable, noCommand, specOf} from './parse.ts';
import {interactionAt} from './talk.ts';

const footing = [
  t`!COMMAND runs a shell command of your own, without a vote, confined like the commands of tasks.`,
  t`It is recorded, later tasks receive its output, and /undo reverts it.`,
  t`Text without a slash is a new task, or is sent to the focused interaction.`,
  t`A line that ends in \\ continues in the next one.`,
  t`Tab completes commands. Ctrl-C suspends running interactions; pressed again, it leaves. Ctrl-D leaves.`,
];

/** The interactions of this conversation with their states. */
export function showTree(chat: Chat): void {
  const {roots, ui, focus} = chat;
  const shown = conversationRoots(chat);
  const runs = shown.map(({view}) => view);
  const look = {
    style: ui.style,
    width: ui.size().width,
    nameOf: (id: string) => placeOf(roots.view(), id),
  };
  const focused = focus.get();
  ui.print(
    runs.length === 0
      ? [say(t`nothing was begun yet: type a task`, ui.style)]
      : treeLines(runs, {...look, ...(focused ? {focus: focused.id} : {})}),
  );
  const others = roots.working().filter((root) => !shown.includes(root));
  if (others.length === 0) return;
  const numbers = others.map(({number}) => number).join(', ');
  note(ui, t`still running from an earlier conversation: ${numbers}`, ui.style.dim);
}

export function showCost(chat: Chat): void {
  const {roots, ui} = chat;
  const runs = conversationRoots(chat).map(({view}) => view);
  ui.print(
    costLines(runs, {
      style: ui.style,
      width: ui.size().width,
      nameOf: (id: string) => placeOf(roots.view(), id),
    }),
  );
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
export async function show(place: string | undefined, chat: Chat): Promise<void> {
  const {questions, focus, journal, ui} = chat;
  const waiting = questions.gates();
  const asked = place === undefined ? waiting[0] : waiting.find((each) => each.place === place);
  if (asked) return await questions.showWhole(asked);
  const wanted =
    place === undefined
      ? (focus.get()?.root ?? conversationRoots(chat).at(-1))
      : interactionAt(place, chat).root;
  if (!wanted) {
    throw usageError(t`there is nothing to show yet`);
  }
  const row = await findRow(journal, wanted.id);
  const {entries} = await journal.log.salvage(row.id);
  const peeked = row.status === undefined ? await tryPeekRun(row.id, entries) : undefined;
  const shown = {row, state: await runStateOf(row, journal), entries, peeked};
  const view = {style: ui.style, width: ui.size().width, now: Date.now()};
  const next = nextLines(shown, view);
  ui.print([...showLines(shown, view), ...(next.length > 0 ? ['', ...next] : [])]);
}

/** All commands, or one of them. Throws AppError `usage` for an unknown name. */
export function help(what: string, {ui}: Pick<Chat, 'ui'>): void {
  const name = what.replace(/^\//, '').toLowerCase();
  const spec = specOf(name);
  const {style} = ui;
  const {width} = ui.size();
  if (name === '') return ui.print(allCommands(width, style));
  if (!spec) throw usageError(noCommand(name));
  const {summary, detail} = spec;
  ui.print([
    style.bold(usageOf(name, spec)),
    ...[say(summary, style), ...(detail ? ['', ...say(detail, style).split('\n')] : [])].flatMap(
      (line) => wrapWords(line, width),
    ),
  ]);
}

function usageOf(name: string, {takes}: CommandSpec): string {
  return `/${name}${takes === undefined ? '' : ` ${takes}`}`;
}

function allCommands(width: number, reader: Reader): string[] {
  const rows = Object.entries(commandTable).map(([name, spec]) => {
    const {takes = ''} = spec;
    const usage = widthOfText(takes) > maxTakes ? `/${name} …` : usageOf(name, spec);
    return [`  ${usage}`, say(spec.summary, reader)] as const;
  });
  const column = Math.max(...rows.map(([left]) => left.length)) + 2;
  const isNarrow = width < column + leastSummary;
  return [
    ...rows.flatMap(([left, right]) =>
      isNarrow
        ? below(left, wrapWords(right, width - 6))
        : besides(left, wrapWords(right, width - column), column),
    ),
    ...['', ...footing].flatMap((line) => wrapWords(say(line, reader), width)),
  ];
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
