/** The routes as one application: checks admission for each request, and adds the common headers; and the server that listens with it. */

import type {Server} from 'node:http';

import type {HttpBindings} from '@hono/node-server';
import {type Context, Hono} from 'hono';

import type {Logger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {
  createRates,
  denialOf,
  foreignness,
  type Identify,
  type Rate,
  type Rates,
  secure,
} from './guard.ts';
import {refusal, refusalOf, type Route} from './routes/route.ts';

interface AppOptions {
  readonly routes: readonly Route[];
  readonly identify: Identify;
  /** The address that the server listens at: at a loopback address it answers only requests for a loopback host. */
  readonly host: string;
  /** For one client address. */
  readonly rate: Rate;
  readonly logger: Logger;
  /** Aborted when the server ends. */
  readonly ending: AbortSignal;
  /** The reply for a path that no route has, such as a page. */
  readonly elsewhere?: (request: Request) => Promise<Response | undefined>;
}

type Env = {Bindings: HttpBindings};

export function createApp(options: AppOptions): Hono<Env> {
  const {routes, host, logger, elsewhere} = options;
  const app = new Hono<Env>();
  const rates = createRates(options.rate);
  app.use(async (context, next) => {
    const startedAt = performance.now();
    const refused = foreignness(context.req.raw, host) ?? tooOften(context, rates);
    if (refused) context.res = refused;
    else await next();
    secure(context.res);
    const {method, path} = context.req;
    const ms = Math.round(performance.now() - startedAt);
    logger.info('request', {method, path, status: context.res.status, ms});
  });
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(
      route.method.toUpperCase(),
      path,
      async (context) => await admit(context, route, options),
    );
  }
  app.notFound(async ({req}) => {
    const page = req.method === 'GET' ? await elsewhere?.(req.raw) : undefined;
    return page ?? refusal(404, 'not_found', `there is no ${req.method} ${req.path}`);
  });
  app.onError((error) => {
    logger.error('failed', {error: error.message, stack: error.stack});
    return refusal(500, 'internal', 'internal error; see the log of the server');
  });
  return app;
}

function tooOften({env}: Context<Env>, rates: Rates): Response | undefined {
  const retryAfter = rates(env.incoming.socket.remoteAddress ?? '');
  if (retryAfter === undefined) return undefined;
  return refusal(429, 'too_often', 'too many requests from this address', {retryAfter});
}

async function admit(
  {req, env}: Context<Env>,
  route: Route,
  {identify, logger, ending}: AppOptions,
): Promise<Response> {
  if (ending.aborted) return endingReply();
  const params = req.param();
  let isOwner = false;
  try {
    const identity = route.access === 'anyone' ? undefined : await identify(req.raw);
    isOwner = identity?.kind === 'owner';
    const denial = denialOf(identity, route.access, params['id']);
    if (denial) return denial;
    const call = {request: req.raw, url: new URL(req.url), params, identity, bindings: env};
    return await route.answer(call);
  } catch (error) {
    if (ending.aborted) return endingReply();
    const refused = refusalOf(error, isOwner);
    if (!refused) throw error;
    if (refused.status >= 500) logger.error('failed', {error: String(error)});
    return refused;
  }
}

function endingReply(): Response {
  const message = 'the server is shutting down; retry when it is back';
  return refusal(503, 'ending', message, {retryAfter: 5});
}

// Opens and closes a listening server.

const graceMs = 1_000;

/** Pending replies are sent, if the clients still take them. */
export async function hangUp(server: Server, closed: Promise<void>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 10);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

/** Rejects with AppError `io` when the port is not available. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  server.once('error', (error) =>
    reject(new AppError('io', `can't listen at ${host}:${port}: ${error.message}`, {cause: error})),
  );
  server.listen(port, host, resolve);
  await promise;
}

export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
