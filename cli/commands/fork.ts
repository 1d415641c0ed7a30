/** `quorate fork ID --at POINT`: continues the past of a run in another way, as a new run. */

import type {ForkOptions} from '../../actors/history/history-api.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {UndoReport} from '../../actors/undo/undo-steps.ts';
import {defaultForm} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {oneRun, type Parsed} from '../line/command.ts';
import {decisionOption} from '../line/decision-flag.ts';
import {answersOption, pointOption, switchOption, wordOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import type {Launched} from '../open-runtime.ts';
import {
  changesIn,
  createForkPast,
  decisionIn,
  followContinued,
  interviewOptions,
} from '../past/continued.ts';
import {findRow} from '../past/find-run.ts';
import {printReport, type Report} from '../render/report.ts';
import {undoLines} from '../render/result/undo.ts';
import {styleFor} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';
import {command, type Given, type ValuesOf} from './define.ts';

const options = {
  at: pointOption(t`the point at which it forks`),
  say: wordOption(
    'TEXT',
    t`a message to it at this point; in an interview, the reply to the open question`,
  ),
  decision: decisionOption,
  files: switchOption(t`take the later file changes of the run back`),
  'dry-run': switchOption(t`with --files: change nothing, show what would be done`),
  yes: switchOption(t`with --files: do not ask`),
  answers: answersOption,
};

type Values = ValuesOf<typeof options>;

export const forkRun = command({
  operands: oneRun,
  summary: t`continue a run from an earlier point in another way, as a new run`,
  detail: t`Starts a new run with the same past as run ID up to a point, and another future: with other models, another panel, rule, mode
or limits, with another decision at an open gate, or with other words. The run ID stays as it is. Calls that were made before
the point are not made again; a call that was in flight keeps its recorded outcome. A named point is the moment before the
named thing, so that it happens anew: --at plan.1 drafts the first plan again.

The new run works in the folder of run ID, if that is as it was at the point. Otherwise give a copy with -C, or --files: it
takes the file changes that run ID made after the point back, as quorate undo does. First it shows which files change, and on
a terminal asks; elsewhere it needs --yes. If a file can't be taken back, because something else has changed it since,
nothing is changed: it names the file and exits 1. Changes by commands outside the folder stay; it says so.`,
  options,
  examples: [
    'quorate fork ID --at plan.1 -m decision=claude-opus-4.5',
    'quorate fork ID --at vote.2 -m review=a,b,c',
    'quorate fork ID --at 12 --files --yes',
    'quorate fork ID --at gate.1 --decision "reject:it needs a backup first"',
  ],
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  endsWithResult: defaultForm,
  run: async (given, terminal) => {
    const at = pointIn(given.options);
    const isSure = requireSure(given.options, terminal);
    const decision = decisionIn(given.options);
    const said = saidIn(given.options);
    const {withLoggedRuntime} = await import('../open-runtime.ts');
    return await withLoggedRuntime(given, terminal, async (launched, logger) => {
      const {runtime, journal, warnings} = launched;
      const row = await findRow(journal, given.operands[0] ?? '');
      const changes = {...(await changesIn(given)), ...said};
      if (given.options.files) {
        const {files} = await runtime.rewind(row.id, {to: at, ...changes, dryRun: true});
        const end = await agreedEnd(files, {given, at, isSure, terminal});
        if (end !== undefined) return end;
      }
      const interview = await interviewOptions(row.form, given, terminal);
      const {prepare, past} = createForkPast(journal, decision);
      const forked = await begin(row.id, {...changes, prepare}, {given, at, runtime});
      if (!('run' in forked)) return await showPreview(forked.files, given, terminal);
      const continued = {run: forked.run, ...past(), interview, warnings};
      return await followContinued(continued, {parsed: given, terminal, logger});
    });
  },
});

interface Forking {
  readonly given: Given<typeof options>;
  readonly at: string;
}

/** Takes the files back, if this is wanted; without a run if one of them has changed since it was shown. */
async function begin(
  id: string,
  how: Omit<ForkOptions, 'at' | 'workspace'>,
  {given, at, runtime}: Forking & Pick<Launched, 'runtime'>,
): Promise<{readonly run: Run} | {readonly files: UndoReport}> {
  const {cwd, options: values} = given;
  const place = cwd === undefined ? {} : {workspace: cwd};
  if (!values.files) return {run: await runtime.fork(id, {at, ...how, ...place})};
  const {run, files} = await runtime.rewind(id, {to: at, ...how});
  return run ? {run} : {files};
}

/** Resolves with the exit code if nothing is to be done: a dry run, a refusal, or the answer no. */
async function agreedEnd(
  files: UndoReport,
  {given, at, isSure, terminal}: Forking & {readonly isSure: boolean; readonly terminal: Terminal},
): Promise<number | undefined> {
  if (given.options['dry-run'] || files.isRefused === true)
    return await showPreview(files, given, terminal);
  return isSure || (await isWanted(files, at, terminal)) ? undefined : 1;
}

/** False when a person must be asked. Throws AppError `usage` if none can be. */
function requireSure({files, 'dry-run': isDry, yes}: Values, terminal: Terminal): boolean {
  if (!files) {
    if (isDry) throw onlyFiles('dry-run');
    if (yes) throw onlyFiles('yes');
  }
  if (!files || isDry || yes) return true;
  if (isInteractive(terminal)) return false;
  throw needsYes;
}

async function showPreview(
  report: UndoReport,
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const isRefused = report.isRefused === true;
  const refusal = t`Nothing was changed: these files of ${report.interaction} can't be taken back.`;
  const lines: Report['lines'] = ({style}) => [
    ...(isRefused ? [style.yellow(say(refusal, style))] : []),
    ...undoLines(report, {style, dryRun: true}),
  ];
  await printReport({data: {...report, dryRun: true}, lines}, parsed, terminal);
  return isRefused ? 1 : 0;
}

/** Shows the preview and asks. */
async function isWanted(report: UndoReport, to: string, terminal: Terminal): Promise<boolean> {
  const {env, language, stderr} = terminal;
  const style = styleFor(stderr, {env, language});
  const {confirm} = await import('../terminal/surface.ts');
  await write(stderr, `${undoLines(report, {style, dryRun: true}).join('\n')}\n`);
  const isYes = await confirm(
    t`Take these changes back, and continue from ${oneLine(to)}?`,
    terminal,
  );
  if (!isYes) await write(stderr, `${say(t`Nothing was changed.`, style)}\n`);
  return isYes;
}

function pointIn({at}: Values): string {
  if (at !== undefined) return at;
  throw usageError(
    t`quorate fork needs a point: --at 12, --at plan.1; quorate verify -v ID lists them`,
  );
}

function saidIn({say: words}: Values): Pick<ForkOptions, 'say'> {
  const text = words?.trim();
  if (text === undefined) return {};
  if (text !== '') return {say: text};
  throw usageError(t`--say is empty`);
}

function onlyFiles(option: string): Error {
  return usageError(t`--${option} is for quorate fork --files`);
}

const needsYes = usageError(
  t`without a terminal, quorate fork --files needs --yes; --dry-run shows what it would change`,
);
