/**
 * A person who fills a form by conversation, at one server and another, and a reader of the events of that submission. Each request is
 * repeated, at any server, until it is answered; a reader that loses its stream continues it at another server.
 */

import {setTimeout as wait} from 'node:timers/promises';

import type {Chooser} from '../support/dice.ts';
import {known} from '../support/filling.ts';
import {listenTo} from '../support/sse.ts';
import type {Process} from './site.ts';

export interface Cluster {
  readonly servers: readonly Process[];
  readonly chooser: Chooser;
  /** No request is repeated after this time of `performance`. */
  readonly until: number;
}

export interface Opened {
  readonly id: string;
  readonly token: string;
}

const answerMs = 8_000;

interface Asked {
  readonly path: string;
  readonly body?: object;
  readonly token?: string;
  readonly key?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Of a request that any server has answered with 200 or 201. Throws Error after `until`. */
async function ask(cluster: Cluster, asked: Asked, last = 'nothing'): Promise<Json> {
  if (performance.now() >= cluster.until) throw new Error(`${asked.path}: ${last}`);
  const said = await tryToAsk(cluster, asked);
  if (typeof said !== 'string') return said;
  await wait(300);
  return await ask(cluster, asked, said);
}

async function tryToAsk(
  {servers, chooser}: Cluster,
  {path, body, token = '', key}: Asked,
): Promise<Json | string> {
  const {url} = chooser.pick(servers);
  if (url === '') return 'no address';
  try {
    const response = await fetch(url + path, {
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...(key === undefined ? {} : {'idempotency-key': key}),
      },
      signal: AbortSignal.timeout(answerMs),
      ...(body ? {method: 'POST', body: JSON.stringify(body)} : {}),
    });
    const text = await response.text();
    const isAnswered = response.status === 200 || response.status === 201;
    return isAnswered ? JSON.parse(text) : `${response.status} ${text}`;
  } catch (error) {
    return String(error);
  }
}

export async function openForm(cluster: Cluster): Promise<Opened> {
  const {id, token} = await ask(cluster, {path: '/v1/forms/t-shirt/submissions', body: known});
  return {id: String(id), token: String(token)};
}

/** Resolves with the answers, once the form is submitted. */
export async function fillForm(cluster: Cluster, {id, token}: Opened): Promise<readonly string[]> {
  const path = `/v1/submissions/${id}`;
  const answers = ['S', `Leave it at the door ${id}`];
  const say = async (text: string): Promise<Json> =>
    await ask(cluster, {
      path: `${path}/messages`,
      token,
      key: text.replaceAll(' ', '-'),
      body: {text},
    });
  for (const answer of answers) await say(answer);
  await ask(cluster, {path: `${path}/confirm`, token, body: {}});
  return answers;
}

/** Resolves with the positions of the messages, in the order in which they arrived, when the form is submitted. */
export async function follow(
  cluster: Cluster,
  opened: Opened,
  positions: number[] = [],
): Promise<readonly number[]> {
  if (performance.now() >= cluster.until) return positions;
  const isOver = await readUntilLost(cluster, opened, positions).catch(() => false);
  if (isOver) return positions;
  await wait(200);
  return await follow(cluster, opened, positions);
}

/** Every second message is the last one of its stream. */
async function readUntilLost(
  {servers, chooser, until}: Cluster,
  {id, token}: Opened,
  positions: number[],
): Promise<boolean> {
  const path = `/v1/submissions/${id}/events`;
  const stream = await listenTo(chooser.pick(servers).url + path, token, {
    'last-event-id': String(positions.at(-1) ?? 0),
  });
  const timer = setTimeout(stream.leave, until - performance.now());
  try {
    for await (const {event, id: position, data} of stream.events) {
      if (event === 'state' && data['state'] === 'submitted') return true;
      if (event !== 'message') continue;
      positions.push(Number(position));
      if (chooser.oneIn(2)) return false;
    }
    return false;
  } finally {
    clearTimeout(timer);
    stream.leave();
  }
}
