/** Commands that check work: tests, builds, linters, type checks; and how a check ended, by the exit code of its command. */

import type {CheckKind, CheckRun, CommandRecord, ToolOutcome} from '../../machines/domain/tool.ts';
import {checkTable} from './known.ts';
import type {SimpleCommand} from './understanding.ts';

const prefix =
  /^(?:npx|bunx|uvx|pnpm (?:exec|dlx)|yarn dlx|uv run|poetry run|bundle exec|python3? -m) /;

/** Options with which nothing is checked. */
const idle =
  /^(?:-h|--help|-v|--version|-V|--init|--list(?:Tests|FilesOnly)?|--showConfig|--print-config)$/;

export function runsTests(command: SimpleCommand): boolean {
  return kindOf(command) === 'tests';
}

function kindOf(command: SimpleCommand): CheckKind | undefined {
  if (command.args.some(({text}) => idle.test(text))) return undefined;
  const words = [command.name, ...command.args.map(({text}) => text)].join(' ');
  return checkTable.find(([, pattern]) => pattern.test(words.replace(prefix, '')))?.[0];
}

/** Exit codes of a shell that found no program, or could not start it: nothing was checked. */
const notStarted: ReadonlySet<number | undefined> = new Set([126, 127]);

/** The checks that a command has run, one of each kind. `commands`: the simple commands in it. */
export function checksOf(
  commands: readonly SimpleCommand[],
  line: string,
  outcome: ToolOutcome,
): Pick<CommandRecord, 'checks'> {
  if (outcome.kind !== 'succeeded' && outcome.kind !== 'failed') return {};
  const {kind: end, exitCode} = outcome;
  if (notStarted.has(exitCode)) return {};
  const runs = commands.flatMap((command, at): CheckRun[] => {
    const kind = kindOf(command);
    if (!kind) return [];
    const written = commands.slice(0, at + 1).findLast(({text}) => line.includes(text));
    const fate = end === 'succeeded' ? 'passed' : 'failed';
    return [{kind, status: isExitOf(written, line, fate) ? fate : 'unknown'}];
  });
  const checks = [...new Map(runs.map((run) => [run.kind, run])).values()];
  return checks.length > 0 ? {checks} : {};
}

/**
 * True if the exit code of the whole command is that of this one. False if a later command sets it (`npm test | tail`,
 * `npm test; date`, `npm test || true`), or if an earlier one may skip it.
 */
export function isExitOf(
  one: SimpleCommand | undefined,
  command: string,
  fate: 'passed' | 'failed',
): boolean {
  const at = one ? command.lastIndexOf(one.text) : 0;
  const before = withoutDescriptors(command.slice(0, at));
  const after = withoutDescriptors(command.slice(at + (one?.text.length ?? 0))).trim();
  if (before.includes('||') || /[|;\n]|(?<!&)&(?!&)/.test(after)) return false;
  return fate === 'passed' || !after.includes('&&');
}

/** Removes `2>&1` and `&>`, whose characters separate no commands. */
function withoutDescriptors(text: string): string {
  return text.replaceAll(/\d?[<>]&\d?|&>>?/g, '');
}
