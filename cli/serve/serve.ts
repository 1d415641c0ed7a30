/** Runs `quorate serve`, from its options to its end. */

import {join, resolve} from 'node:path';

import {createToken} from '../../actors/journal/node-crypto.ts';
import {createSqliteRepository} from '../../actors/submissions/sqlite.ts';
import {type Message, t} from '../../machines/message.ts';
import {dataFolder} from '../config/paths.ts';
import type {Parsed} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {withLog} from '../log.ts';
import {createMcpEndpoint} from '../mcp/endpoint.ts';
import {openRuntime} from '../open-runtime.ts';
import {warningText} from '../render/warning.ts';
import {onInterrupt} from '../signals.ts';
import {tryToWrite, type Terminal, write} from '../terminal.ts';
import {version} from '../version.ts';
import {usualTiming} from './event-stream.ts';
import {noForms, openForms} from './forms.ts';
import {isLoopback} from './guard.ts';
import {formPath} from './home-page.ts';
import {startServer} from './server.ts';

interface Wanted {
  readonly host: string;
  readonly port: number;
  readonly perSecond: number;
  readonly ownerToken: string;
  /** The token was generated just now, so it is printed. */
  readonly isNewToken: boolean;
}

/** Resolves with the exit code after a signal to end. Throws AppError `usage`, and the errors of opening a runtime. */
export async function serveForms(parsed: Parsed, terminal: Terminal): Promise<number> {
  const wanted = readWanted(parsed, terminal);
  return await withLog(parsed, terminal.env, async (logger) => {
    const {runtime, journal, workspace, warnings} = await openRuntime(parsed, terminal, logger);
    const {env} = terminal;
    const {overrides} = parsed;
    const where = parsed.flags['forms']?.at(-1);
    const forms =
      where === undefined ? noForms : await openForms(where, logger, resolve(parsed.cwd ?? '.'));
    const ending = Promise.withResolvers<void>();
    const stopListening = onInterrupt(ending.resolve);
    try {
      const repository = createSqliteRepository(join(dataFolder(terminal.env), 'submissions.db'));
      const server = await startServer({
        ...wanted,
        runtime,
        repository,
        workspace,
        forms,
        mcp: createMcpEndpoint({runtime, journal, workspace, env, overrides}, logger),
        logger,
        version: version(),
        rate: {perSecond: wanted.perSecond, burst: wanted.perSecond * 10},
        timing: usualTiming,
        patienceMs: 60_000,
        idleMs: 5_000,
      });
      const names = (await forms.list()).map(({name}) => name);
      await printAddress(server.url, wanted, {names, terminal, warnings, isQuiet: parsed.quiet});
      await ending.promise;
      await server.close();
      return 0;
    } finally {
      stopListening();
      await runtime.close();
    }
  });
}

function readWanted({flags}: Parsed, {env}: Terminal): Wanted {
  const given = (name: string): string | undefined => flags[name]?.at(-1);
  const host = given('host') ?? '127.0.0.1';
  const ownToken = env['QUORATE_OWNER_TOKEN'];
  if (!isLoopback(host) && !ownToken) {
    throw usageError(
      t`--host ${host} can be reached from other machines: set QUORATE_OWNER_TOKEN to a secret of yours first`,
    );
  }
  return {
    host,
    port: numberIn('--port', given('port') ?? '8787', 0, 65_535),
    perSecond: numberIn('--rate', given('rate') ?? '50', 1, 1_000_000),
    ownerToken: ownToken ? ownToken : createToken(),
    isNewToken: !ownToken,
  };
}

function numberIn(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw usageError(t`${flag} takes a number from ${least} to ${most}, not "${text}"`);
}

interface Announcement {
  /** Names of the forms. */
  readonly names: readonly string[];
  readonly terminal: Terminal;
  readonly warnings: readonly (Message | string)[];
  readonly isQuiet: boolean;
}

async function printAddress(
  url: string,
  {host, ownerToken, isNewToken}: Wanted,
  {names, terminal, warnings, isQuiet}: Announcement,
): Promise<void> {
  const {stdout, stderr} = terminal;
  await write(stdout, `listening on ${url}\n`);
  if (isNewToken) await write(stdout, `owner token: ${ownerToken}\n`);
  const pages = [
    ...names.map((name) => [name, formPath(name)] as const),
    ['api', '/openapi.json'] as const,
  ];
  await write(stdout, pages.map(([name, path]) => `${name}  ${url}${path}\n`).join(''));
  const open = t`${url} can be reached from other machines without encryption: put a proxy with TLS in front of it`;
  const shown = [...(isLoopback(host) ? [] : [open]), ...(isQuiet ? [] : warnings)];
  const lines = shown.map((warning) => `${warningText(warning, terminal)}\n`);
  await tryToWrite(stderr, lines.join(''));
}
