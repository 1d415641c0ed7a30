import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';

import {afterEach, expect, test} from 'vitest';

import {followSteps} from '../../../../cli/inspect/page/browser/sources/following.ts';
import {SourceError} from '../../../../cli/inspect/page/browser/sources/source.ts';
import {asJson} from '../../../../machines/domain/json.ts';
import {Packer} from '../../../../machines/trace/packing.ts';
import {stepWith} from './moments.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

test('after a lost connection it continues from the last step, and passes no step on twice', async () => {
  const asked: (string | undefined)[] = [];
  const lines = await followed((request, response) => {
    asked.push(request.headers['last-event-id']?.toString());
    if (asked.length === 1) {
      response.write(frame('head', {id: 'r'}) + steps(0, 1) + frame('ready', {}), () =>
        response.destroy(),
      );
    } else
      response.write(
        `: alive\n\n${frame('head', {id: 'r'})}${steps(1, 2, 5)}${frame('ready', {})}`,
      );
  }, 'steps 2,5');
  expect(asked).toEqual([undefined, '1']);
  expect(lines).toEqual([
    'connected',
    'head r',
    'steps 0,1',
    'ready',
    'lost',
    'connected',
    'head r',
    'steps 2,5',
  ]);
});

test('a trace that can not be read ends it with the reason of the server, and is not tried again', async () => {
  let requests = 0;
  const lines = await followed((_, response) => {
    requests += 1;
    refuse(response, 'journal_damaged', 'entry 7 is damaged');
  }, 'refused journal_damaged: entry 7 is damaged');
  expect(lines).toHaveLength(1);
  expect(requests).toBe(1);
});

test('a server that is shutting down is tried again', async () => {
  let requests = 0;
  const lines = await followed((_, response) => {
    requests += 1;
    if (requests === 1) refuse(response, 'ending', 'the server is shutting down');
    else response.write(frame('head', {id: 'r'}));
  }, 'head r');
  expect(lines).toEqual(['lost', 'connected', 'head r']);
});

/** What the listener was told, up to this line. */
async function followed(answer: Answer, last: string): Promise<readonly string[]> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no port');
  const lines: string[] = [];
  const {promise, resolve} = Promise.withResolvers<readonly string[]>();
  const note = (text: string): void => {
    lines.push(text);
    if (text === last) resolve([...lines]);
  };
  const connect = async (init: RequestInit): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${address.port}`, init);
    if (response.ok) return response;
    const {code, message}: {code: string; message: string} = JSON.parse(await response.text());
    throw new SourceError(code, message);
  };
  const leave = followSteps(connect, {
    onHead: ({id}) => note(`head ${id}`),
    onSteps: (some) => note(`steps ${some.map(({seq}) => seq).join()}`),
    onReady: () => note('ready'),
    onConnection: (isConnected) => note(isConnected ? 'connected' : 'lost'),
    onRefused: ({code, message}) => note(`refused ${code}: ${message}`),
  });
  ends.push(
    leave,
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return await promise;
}

function refuse(response: ServerResponse, code: string, message: string): void {
  response.writeHead(503).end(JSON.stringify({code, message}));
}

function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Packed as on a new connection. */
function steps(...seqs: readonly number[]): string {
  const some = seqs.map((seq) => stepWith(seq, []));
  return frame('steps', new Packer().pack(asJson({steps: some, gaps: []})));
}
