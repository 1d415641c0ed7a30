/** `quorate fork ID --at POINT`: continues the past of a run in another way, as a new run. */

import type {ForkOptions} from '../../actors/history/history-api.ts';
import type {UndoReport} from '../../actors/undo/undo-steps.ts';
import {defaultForm} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {answersOption} from '../interview/answers-option.ts';
import {say} from '../language.ts';
import {oneRun, type Command, type Parsed} from '../line/command.ts';
import {decisionOption} from '../line/decision-flag.ts';
import {pointOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {withLog} from '../log.ts';
import {changesIn, decisionIn, followContinued, interviewOptions} from '../past/continued.ts';
import {findRow} from '../past/find-run.ts';
import {undoLines} from '../render/result/undo.ts';
import {styleFor} from '../render/style.ts';
import {jsonText, oneLine} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';

export const forkRun: Command = {
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
  options: [
    pointOption('at', t`the point at which it forks`),
    {
      name: 'say',
      takes: 'TEXT',
      text: t`a message to it at this point; in an interview, the reply to the open question`,
    },
    decisionOption,
    {
      name: 'files',
      text: t`take the later file changes of the run back`,
    },
    {
      name: 'dry-run',
      text: t`with --files: change nothing, show what would be done`,
    },
    {name: 'yes', text: t`with --files: do not ask`},
    answersOption,
  ],
  examples: [
    'quorate fork ID --at plan.1 -m decision=claude-opus-4.5',
    'quorate fork ID --at vote.2 -m review=a,b,c',
    'quorate fork ID --at 12 --files --yes',
    'quorate fork ID --at gate.1 --decision "reject:it needs a backup first"',
  ],
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  endsWithResult: defaultForm,
  run: async (parsed, terminal) => {
    const at = pointIn(parsed);
    const withFiles = requireSure(parsed, terminal);
    const given = decisionIn(parsed);
    const {openRuntime} = await import('../open-runtime.ts');
    return await withLog(parsed, terminal.env, async (logger) => {
      const {runtime, journal, warnings} = await openRuntime(parsed, terminal, logger);
      try {
        const row = await findRow(journal, parsed.operands[0] ?? '');
        const changes = {...(await changesIn(parsed)), ...saidIn(parsed)};
        if (withFiles) {
          const {files} = await runtime.rewind(row.id, {to: at, ...changes, dryRun: true});
          const end = await agreedEnd(files, at, {parsed, terminal});
          if (end !== undefined) return end;
        }
        const interview = await interviewOptions(row.form, parsed, terminal);
        const {createForkPast} = await import('../past/fork-past.ts');
        const {cwd} = parsed;
        const place = cwd === undefined ? {} : {workspace: cwd};
        const {prepare, past} = createForkPast(journal, given);
        const how = {...changes, prepare};
        const rewound = withFiles ? await runtime.rewind(row.id, {to: at, ...how}) : undefined;
        if (rewound && !rewound.run) return await showPreview(rewound.files, {parsed, terminal});
        const run = rewound?.run ?? (await runtime.fork(row.id, {at, ...how, ...place}));
        const forked = {run, ...past(), interview, warnings};
        return await followContinued(forked, {parsed, terminal, logger});
      } finally {
        await runtime.close();
      }
    });
  },
};

interface Shown {
  readonly parsed: Parsed;
  readonly terminal: Terminal;
}

/** True when the later file changes are taken back. Throws AppError `usage` without a terminal and `--yes`. */
function requireSure({flags}: Parsed, terminal: Terminal): boolean {
  if (!('files' in flags)) {
    const alone = ['dry-run', 'yes'].find((name) => name in flags);
    if (alone !== undefined) throw onlyFiles(alone);
    return false;
  }
  if ('dry-run' in flags || 'yes' in flags || isInteractive(terminal)) return true;
  throw needsYes;
}

/** Resolves with the exit code if nothing is to be done: a dry run, a refusal, or the answer no. */
async function agreedEnd(files: UndoReport, at: string, shown: Shown): Promise<number | undefined> {
  const {flags} = shown.parsed;
  if ('dry-run' in flags || files.isRefused === true) return await showPreview(files, shown);
  if ('yes' in flags || (await isWanted(files, at, shown.terminal))) return undefined;
  return 1;
}

async function showPreview(report: UndoReport, {parsed, terminal}: Shown): Promise<number> {
  const {stdout, env, language} = terminal;
  const style = styleFor(stdout, {env, language});
  const isRefused = report.isRefused === true;
  const lines = [
    ...(isRefused
      ? [
          style.yellow(
            say(
              t`Nothing was changed: these files of ${report.interaction} can't be taken back.`,
              style,
            ),
          ),
        ]
      : []),
    ...undoLines(report, {style, dryRun: true}),
  ];
  const isText = parsed.output === 'text';
  await write(
    stdout,
    `${isText ? lines.join('\n') : jsonText({...report, dryRun: true}, parsed.output)}\n`,
  );
  return isRefused ? 1 : 0;
}

/** Shows the preview and asks. */
async function isWanted(report: UndoReport, to: string, terminal: Terminal): Promise<boolean> {
  const {env, language, stderr} = terminal;
  const style = styleFor(stderr, {env, language});
  const {confirm} = await import('../terminal/confirm.ts');
  await write(stderr, `${undoLines(report, {style, dryRun: true}).join('\n')}\n`);
  const isYes = await confirm(
    t`Take these changes back, and continue from ${oneLine(to)}?`,
    terminal,
  );
  if (!isYes) await write(stderr, `${say(t`Nothing was changed.`, style)}\n`);
  return isYes;
}

function pointIn({flags}: Parsed): string {
  const at = flags['at']?.at(-1);
  if (at !== undefined) return at;
  throw usageError(
    t`quorate fork needs a point: --at 12, --at plan.1; quorate verify -v ID lists them`,
  );
}

function saidIn({flags}: Parsed): Pick<ForkOptions, 'say'> {
  const text = flags['say']?.at(-1)?.trim();
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
