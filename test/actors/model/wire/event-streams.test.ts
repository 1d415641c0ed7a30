/** Event streams as servers write them, and details of their end that an SDK does not expose. */

import {describe, expect, test} from 'vitest';

import {type Play, replies, streams, trickles} from '../../../support/fault-server.ts';
import {callOver} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

const [anthropic, chat, responses] = wires;
if (!anthropic || !chat || !responses) throw new Error('a wire format is missing');

/** An error body that breaks off. */
function breaksAfter(status: number, text: string): Play {
  return (response) => {
    response.writeHead(status, {'retry-after': '7'}).write(text, () => response.destroy());
  };
}

describe.each(wires)('$name', (wire) => {
  const hello = wire.reply({text: 'Hello.'});

  test.each([
    ['carriage return and line feed', hello.replaceAll('\n', '\r\n')],
    ['carriage return', hello.replaceAll('\n', '\r')],
    ['line feed, with comments between events', `: hi\n\n${hello.replaceAll('\n\n', '\n\n: x\n')}`],
    ['line feed, without the last blank line', hello.slice(0, -1)],
    ['line feed, without the last line end', hello.slice(0, -2)],
  ])('lines that end in %s are read', async (_title, text) => {
    for (const play of [streams(text), trickles(text)]) {
      const {outcome, deltas} = await callOver(wire, play);
      expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.', usage: {outputTokens: 7}});
      expect(deltas.join('')).toBe('Hello.');
    }
  });

  test('events after the end of the reply are ignored', async () => {
    const {outcome} = await callOver(wire, streams(hello + wire.reply({text: ' More.'})));
    expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
  });

  test.each([
    ['an object', wire.errorBody('some_error', 'It is odd.'), 'It is odd.'],
    ['a text', {error: 'It is odd.'}, 'It is odd.'],
    ['of another form', {detail: 'It is odd.'}, 'It is odd.'],
    ['not JSON', 'It is odd.', 'It is odd.'],
    ['empty', '', 'no reason given'],
  ])('the reason in an error body that is %s is reported', async (_title, body, reason) => {
    const {outcome} = await callOver(wire, replies(500, body));
    expect(outcome).toMatchObject({kind: 'overloaded', message: expect.stringContaining(reason)});
    expect(outcome).toHaveProperty('message', expect.stringMatching(/\(500: [^\d]*\)$/));
  });

  test('the status counts even if the body breaks off', async () => {
    const {outcome} = await callOver(wire, breaksAfter(429, '{"error":{"mess'));
    expect(outcome).toMatchObject({kind: 'rateLimited', retryAfterMs: 7_000});
  });

  test.each([204, 304])('a status without a body is a failure: %i', async (status) => {
    const {outcome} = await callOver(wire, replies(status, ''));
    expect(outcome.kind).toBe('unsupported');
  });
});

test.each([chat, responses])('$name: an error event needs no name', async (wire) => {
  const error = {type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.'};
  const event = `data: ${JSON.stringify(error)}\n\n`;
  const {outcome} = await callOver(wire, streams(wire.piece('x') + event));
  expect(outcome).toMatchObject({
    kind: 'rateLimited',
    message: expect.stringContaining('Slow down.'),
  });
});

test.each(wires)('$name: an error event by its name reports its type', async (wire) => {
  const error = wire.errorBody('overloaded_error', 'Overloaded');
  const event = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
  const {outcome} = await callOver(wire, streams(wire.piece('x') + event));
  expect(outcome).toMatchObject({
    kind: 'overloaded',
    message: expect.stringContaining('Overloaded'),
  });
});
