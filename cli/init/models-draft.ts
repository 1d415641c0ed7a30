/** The draft by models: they discuss what an agent must know, and the moderator writes the file. */

import {Writable} from 'node:stream';

import type {RunResult} from '../../machines/domain/result.ts';
import type {Attachment} from '../../machines/prompts/attachment.ts';
import {resolveLoaded, routerOf} from '../config/in-effect.ts';
import type {LoadedConfig} from '../config/load.ts';
import type {Parsed} from '../line/command.ts';
import {oneLine} from '../render/text.ts';
import {tryToWrite, type Terminal} from '../terminal.ts';
import {type RepositoryFacts, workflowPath} from './facts.ts';
import {initTexts} from './texts.ts';

export type Drafted =
  | {readonly draft: string}
  /** No draft: the exit code. The reason was printed. */
  | {readonly code: number};

interface Wanted {
  readonly request: string;
  /** The draft by rule: its facts help the models. */
  readonly byRule: string;
  readonly facts: RepositoryFacts;
}

const maxListed = 500;

/** True if no model can be called. A discussion that can't start is not by rule: its start reports why. */
export function isByRule(loaded: LoadedConfig, {env}: Terminal): boolean {
  const inEffect = resolveLoaded(loaded, routerOf(loaded, env), 'discuss');
  return inEffect.ok && inEffect.resolved.offline;
}

/** A run of the form discuss, with its progress on stderr. It is kept in the journal like any other. */
export async function modelsDraft(
  {request, byRule, facts}: Wanted,
  parsed: Parsed,
  terminal: Terminal,
): Promise<Drafted> {
  const {launchRun} = await import('../start-run.ts');
  let result: RunResult | undefined;
  const strategy = {key: 'discuss.strategy', value: 'quorum', source: 'quorate init'};
  const code = await launchRun(
    () => ({
      form: 'discuss',
      request,
      attachments: attachmentsOf(byRule, facts),
      contextMode: 'fresh',
    }),
    {
      parsed: {...parsed, output: 'text', overrides: [...parsed.overrides, strategy]},
      terminal: {...terminal, stdout: discarding()},
      onResult: async (ended) => {
        result = ended;
        await Promise.resolve();
      },
    },
  );
  if (result?.status === 'completed' && result.discussion) return await drafted(result, terminal);
  if (result) {
    const {noDraft} = initTexts(terminal);
    await tryToWrite(terminal.stderr, `${noDraft(oneLine(result.summary))}\n`);
  }
  return {code: code === 0 ? 1 : code};
}

/** The models' differences are for the person who decides on the draft. */
async function drafted({discussion}: RunResult, terminal: Terminal): Promise<Drafted> {
  const {differ} = initTexts(terminal);
  const lines = (discussion?.disagreements ?? []).map((text) => `${differ(oneLine(text))}\n`);
  await tryToWrite(terminal.stderr, lines.join(''));
  return {draft: discussion?.conclusion ?? ''};
}

function attachmentsOf(byRule: string, {files, texts}: RepositoryFacts): Attachment[] {
  const more = files.length > maxListed ? [`… ${files.length} files in all`] : [];
  return [
    {name: 'facts found by rule', text: byRule},
    {name: 'list of files', text: [...files.slice(0, maxListed), ...more].join('\n')},
    ...[...texts].flatMap(([name, text]) => (workflowPath.test(name) ? [{name, text}] : [])),
  ];
}

/** The result on stdout is the draft, not the discussion. */
function discarding(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
}
