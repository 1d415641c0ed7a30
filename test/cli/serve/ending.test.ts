/** Requests that a server has begun to read when it ends. */

import {once} from 'node:events';
import {type ClientRequest, type IncomingMessage, request} from 'node:http';
import {text} from 'node:stream/consumers';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {fill} from '../../support/filling.ts';
import {serveHere, type Serving, temporaryFolder} from '../../support/serving.ts';

let place: ReturnType<typeof temporaryFolder>;
let server: Serving;
beforeEach(async () => {
  place = temporaryFolder();
  server = await serveHere(place.folder);
});
afterEach(async () => {
  await server.close();
  place.remove();
});

/** A request that the server has accepted, and whose body it awaits. */
async function admitted(path: string, token: string): Promise<ClientRequest> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    expect: '100-continue',
  };
  const sent = request(`${server.url}${path}`, {method: 'POST', headers});
  sent.flushHeaders();
  await once(sent, 'continue');
  return sent;
}

test('a message that arrives during the shutdown must be sent again, and is never a conflict', async () => {
  const {id, token} = await fill(server.ask);
  const sent = await admitted(`/v1/submissions/${id}/messages`, token);
  const replied: Promise<IncomingMessage[]> = once(sent, 'response');
  const closing = server.close();
  sent.end(JSON.stringify({text: 'S'}));
  const [response] = await replied;

  expect(response?.statusCode).toBe(503);
  expect(response?.headers['retry-after']).toMatch(/^\d+$/);
  expect(response && JSON.parse(await text(response))).toMatchObject({error: {code: 'ending'}});
  await closing;
});
