/** Drafts `.quorate/context.md`, shows the draft, and writes it if a person agrees. */

import {basename, resolve} from 'node:path';

import {checkedWorkspace} from '../../actors/run/validation.ts';
import {type LoadedConfig, loadConfig} from '../config/load.ts';
import type {Parsed} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {diffRows} from '../render/diff.ts';
import {styleFor} from '../render/style.ts';
import {escapedLines} from '../render/text.ts';
import {isInteractive, pageWidthOf, type Terminal, tryToWrite, write} from '../terminal.ts';
import {
  changeLines,
  contextPath,
  currentFile,
  type CurrentFile,
  replaceContextFile,
  withDraft,
} from './context-file.ts';
import {draftTexts} from './draft-texts.ts';
import {readFacts} from './facts.ts';
import type {Drafted} from './models-draft.ts';
import {rulesDraft} from './rules-draft.ts';
import {initTexts} from './texts.ts';

/**
 * Resolves with the exit code. Rejects with AppError `usage` if the file exists and may not be replaced, `io` if it can't be
 * written, and as a run of the form discuss does.
 */
export async function initContext(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {cwd = '.', overrides, flags, quiet} = parsed;
  const folder = resolve(cwd);
  const loaded = await loadConfig({cwd: folder, env: terminal.env, overrides});
  const workspace = checkedWorkspace(resolve(folder, loaded.config.agent.working_dir));
  const isSure = flags['yes'] !== undefined;
  const writes = isSure || isInteractive(terminal);
  const current = currentFile(workspace);
  if (writes && current.text !== undefined && flags['force'] === undefined) throw exists;
  const drafted = await draftOf(workspace, loaded, parsed, terminal);
  if ('code' in drafted) return drafted.code;
  const content = withDraft(drafted.draft, current.text);
  if (!writes) {
    await write(terminal.stdout, content);
    return 0;
  }
  if (!quiet || !isSure) await show(current, content, terminal);
  return await keep(content, {workspace, current, isSure}, terminal);
}

async function draftOf(
  workspace: string,
  loaded: LoadedConfig,
  parsed: Parsed,
  terminal: Terminal,
): Promise<Drafted> {
  const messages = initTexts(terminal);
  const texts = draftTexts(terminal);
  const facts = await readFacts(workspace, new AbortController().signal);
  if (facts.files.length === 0) {
    await write(terminal.stderr, `${messages.nothing}\n`);
    return {code: 1};
  }
  const byRule = rulesDraft(facts, basename(workspace), texts);
  const {isByRule, modelsDraft} = await import('./models-draft.ts');
  if (isByRule(loaded, terminal)) {
    if (!parsed.quiet) await tryToWrite(terminal.stderr, `${messages.byRules}\n`);
    return {draft: byRule};
  }
  return await modelsDraft({request: texts.request, byRule, facts}, parsed, terminal);
}

/** On stderr, with the question about it: the whole draft, or its difference from the current file. */
async function show(current: CurrentFile, content: string, terminal: Terminal): Promise<void> {
  const {stderr} = terminal;
  const {draft, difference} = initTexts(terminal);
  const style = styleFor(stderr, terminal);
  const width = pageWidthOf(stderr);
  const isNew = current.text === undefined;
  const lines = isNew ? content.split('\n') : await changeLines(current.text, content);
  const safe = lines.flatMap(escapedLines);
  const rows = isNew ? safe : safe.flatMap((line) => diffRows(line, style, width));
  await write(stderr, [isNew ? draft : difference, ...rows, ''].join('\n'));
}

interface Keeping {
  readonly workspace: string;
  readonly current: CurrentFile;
  readonly isSure: boolean;
}

async function keep(
  content: string,
  {workspace, current, isSure}: Keeping,
  terminal: Terminal,
): Promise<number> {
  const messages = initTexts(terminal);
  if (content === current.text) {
    await write(terminal.stdout, `${messages.unchanged(contextPath)}\n`);
    return 0;
  }
  const {confirm} = await import('../terminal/confirm.ts');
  if (!isSure && !(await confirm(messages.question(contextPath), terminal))) {
    await write(terminal.stderr, `${messages.nothingWritten}\n`);
    return 1;
  }
  await replaceContextFile(workspace, content, current);
  await write(terminal.stdout, `${messages.written(contextPath)}\n`);
  return 0;
}

const exists = usageError({
  en: `${contextPath} exists; --force shows the difference and replaces it, except what is below its marker`,
  ja: `${contextPath} があります。--force は差分を示して置き換えます（目印より下は残します）`,
});
