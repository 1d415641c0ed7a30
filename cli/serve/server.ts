/** The HTTP server: listens with its routes until it is closed. */

import {createServer} from 'node:http';

import {getRequestListener} from '@hono/node-server';

import type {Log} from '../../actors/journal/journal.ts';
import type {SubmissionRecords} from '../../actors/journal/submissions.ts';
import type {Logger} from '../../actors/logger.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {createSubmissions} from '../../actors/submissions/submissions.ts';
import type {McpEndpoint} from '../mcp/endpoint.ts';
import {createApp, hangUp, listen, urlOf} from './app.ts';
import type {StreamTiming} from './event-stream.ts';
import type {Forms} from './forms.ts';
import {createIdentify, type Rate} from './guard.ts';
import {missingFormPage} from './home-page.ts';
import {createInteractions} from './interactions.ts';
import {pageResponse} from './page/page.ts';
import {formRoutes} from './routes/form-routes.ts';
import {historyRoutes, interactionRoutes} from './routes/interaction-routes.ts';
import {mcpRoutes, serverRoutes} from './routes/server-routes.ts';
import {submissionRoutes} from './routes/submission-routes.ts';

export interface ServerOptions {
  readonly runtime: Runtime;
  readonly records: SubmissionRecords;
  /** The number of entries of a run, where other servers share the journal. */
  readonly lengthOf?: Log['lengthOf'];
  readonly forms: Forms;
  readonly mcp: McpEndpoint;
  readonly ownerToken: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Absolute: the folder that runs work in. */
  readonly workspace: string;
  readonly version: string;
  readonly rate: Rate;
  readonly timing: StreamTiming;
  readonly logger: Logger;
  /** How long a request with a message waits for the next question. */
  readonly patienceMs: number;
  /** How long an idle submission stays in memory. */
  readonly idleMs: number;
}

/** Number of submissions in memory at once. */
const mostAwake = 200;

export interface Listening {
  readonly url: string;
  /** Refuses new requests, suspends running interactions, and resolves when every connection is closed. */
  readonly close: () => Promise<void>;
}

/** Rejects with AppError `io` when the port is not available. */
export async function startServer(options: ServerOptions): Promise<Listening> {
  const {host, port, runtime, records, logger} = options;
  const interactions = createInteractions({...options, isShared: options.lengthOf !== undefined});
  const submissions = createSubmissions({
    ...options,
    most: mostAwake,
    findForm: async (name) => (await options.forms.find(name))?.questionnaire,
  });
  const ending = new AbortController();
  const streaming = {...options, ending: ending.signal};
  const routes = [
    ...formRoutes(options.forms, submissions),
    ...submissionRoutes(submissions, streaming),
    ...interactionRoutes(interactions, streaming),
    ...historyRoutes(interactions),
    ...mcpRoutes(options.mcp),
  ];
  const app = createApp({
    ...streaming,
    routes: serverRoutes(routes, options.version, options.forms),
    elsewhere: async ({url, headers}) => {
      const path = new URL(url).pathname;
      const accepted = headers.get('accept-language');
      const missing = await missingFormPage(path, options.forms, accepted);
      return missing ?? pageResponse(path, headers.get('if-none-match') ?? undefined);
    },
    identify: createIdentify(options.ownerToken, records),
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  // A request that arrives too slowly does not keep a socket.
  server.requestTimeout = 30_000;
  await listen(server, host, port);
  await interactions.continueOpen();
  logger.info('listening', {url: urlOf(server, host)});
  return {
    url: urlOf(server, host),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      ending.abort();
      await options.mcp.close();
      await submissions.close();
      await runtime.close();
      await hangUp(server, closed);
    },
  };
}
