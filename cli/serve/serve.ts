/** Runs `quorate serve`, from its options to its end. */

import {resolve} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import {createToken} from '../../actors/journal/node-crypto.ts';
import type {SubmissionRecords} from '../../actors/journal/submissions.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Given} from '../commands/define.ts';
import type {serveOptions} from '../commands/serve.ts';
import {usageError} from '../line/usage-error.ts';
import {createMcpEndpoint} from '../mcp/endpoint.ts';
import {withLoggedRuntime} from '../open-runtime.ts';
import {warn} from '../render/warning.ts';
import {onInterrupt, type Terminal, write} from '../terminal.ts';
import {version} from '../version.ts';
import {usualTiming} from './event-stream.ts';
import {noForms, openForms} from './forms.ts';
import {isLoopback} from './guard.ts';
import {formPath} from './home-page.ts';
import {startServer} from './server.ts';

interface Access {
  readonly host: string;
  readonly ownerToken: string;
  /** The token was generated just now, so it is printed. */
  readonly isNewToken: boolean;
}

/** Resolves with the exit code after a signal to end. Throws AppError `usage`, and the errors of opening a runtime. */
export async function serveForms(
  parsed: Given<typeof serveOptions>,
  terminal: Terminal,
): Promise<number> {
  const {
    options: {host, port, rate, forms: where},
    overrides,
    cwd = '.',
  } = parsed;
  const {env} = terminal;
  const access = accessOf(host, terminal);
  return await withLoggedRuntime(
    {...parsed, lendsRuns: true},
    terminal,
    async (launched, logger) => {
      const {runtime, journal, host: machine, workspace, warnings} = launched;
      const forms = where === undefined ? noForms : await openForms(where, logger, resolve(cwd));
      const ending = Promise.withResolvers<void>();
      const stopListening = onInterrupt(ending.resolve);
      try {
        const server = await startServer({
          ...access,
          port,
          runtime,
          records: recordsIn(journal),
          ...(machine ? {lengthOf: journal.log.lengthOf} : {}),
          workspace,
          forms,
          mcp: createMcpEndpoint({runtime, journal, workspace, env, overrides}, logger),
          logger,
          version: version(),
          rate: {perSecond: rate, burst: rate * 10},
          timing: usualTiming,
          patienceMs: 60_000,
          idleMs: 5_000,
        });
        const names = (await forms.list()).map(({name}) => name);
        await printAddress(server.url, access, {names, terminal, warnings, isQuiet: parsed.quiet});
        await ending.promise;
        await server.close();
        return 0;
      } finally {
        stopListening();
      }
    },
  );
}

function recordsIn({submissions}: Journal): SubmissionRecords {
  if (submissions) return submissions;
  throw new Error('the journal of the launcher keeps submissions');
}

/** Throws AppError `usage` for another address than this machine's without an own token. */
function accessOf(host: string, {env}: Terminal): Access {
  const ownToken = env['QUORATE_OWNER_TOKEN'];
  if (!isLoopback(host) && !ownToken) {
    throw usageError(
      t`--host ${host} can be reached from other machines: set QUORATE_OWNER_TOKEN to a secret of yours first`,
    );
  }
  return {host, ownerToken: ownToken ? ownToken : createToken(), isNewToken: !ownToken};
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
  {host, ownerToken, isNewToken}: Access,
  {names, terminal, warnings, isQuiet}: Announcement,
): Promise<void> {
  const {stdout} = terminal;
  await write(stdout, `listening on ${url}\n`);
  if (isNewToken) await write(stdout, `owner token: ${ownerToken}\n`);
  const pages = [
    ...names.map((name) => [name, formPath(name)] as const),
    ['api', '/openapi.json'] as const,
  ];
  await write(stdout, pages.map(([name, path]) => `${name}  ${url}${path}\n`).join(''));
  const open = t`${url} can be reached from other machines without encryption: put a proxy with TLS in front of it`;
  const shown = [...(isLoopback(host) ? [] : [open]), ...(isQuiet ? [] : warnings)];
  await warn(shown, terminal);
}
