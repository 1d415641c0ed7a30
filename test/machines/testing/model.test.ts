/** Programs that are driven through the tours of their machine: an object with timers, a server, a page of a browser. */

import {createServer, type Server} from 'node:http';
import {text as read} from 'node:stream/consumers';

import {afterAll, afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {createMachine, setup} from 'xstate';

import {type ModelOptions, testModel} from '../../../machines/testing/index.ts';
import {ticketMachine, ticketSamples} from '../../fixtures/charts/ticket.ts';

type Save = (text: string) => Promise<{readonly id: number}>;

/** A program that was not made from the machine, but for it. */
class TicketForm {
  view = 'editing';
  tries = 0;
  readonly #save: Save;
  readonly #pauseMs: number;
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(save: Save, pauseMs = 1_000) {
    this.#save = save;
    this.#pauseMs = pauseMs;
  }

  send(text: string): void {
    this.#text = text;
    this.retry();
  }

  retry(): void {
    this.view = 'saving';
    this.tries += 1;
    this.#wait(5_000, () => (this.view = 'givenUp'));
    this.#save(this.#text).then(
      () => this.#settle('saved'),
      () => this.#settle(this.tries < 2 ? 'failed' : 'givenUp'),
    );
  }

  #settle(view: string): void {
    if (this.view !== 'saving') return;
    this.view = view;
    clearTimeout(this.#timer);
    if (view === 'failed') this.#wait(this.#pauseMs, () => this.retry());
  }

  #wait(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }
}

interface Sut {
  readonly form: TicketForm;
  /** The calls of `save` that wait. */
  readonly calls: PromiseWithResolvers<{readonly id: number}>[];
}

function startForm(pauseMs?: number): Sut {
  const calls: Sut['calls'] = [];
  const save = async () => {
    const call = Promise.withResolvers<{readonly id: number}>();
    calls.push(call);
    return await call.promise;
  };
  return {form: new TicketForm(save, pauseMs), calls};
}

const flush = async () => await vi.advanceTimersByTimeAsync(0);

const formModel: ModelOptions<typeof ticketMachine, Sut> = {
  samples: ticketSamples,
  sut: () => startForm(),
  events: {
    sent: ({form}, event) => form.send(event.text),
    retried: ({form}) => form.retry(),
  },
  outcomes: {
    save: {
      done: async ({calls}) => {
        calls.at(-1)?.resolve({id: 7});
        await flush();
      },
      fails: async ({calls}) => {
        calls.at(-1)?.reject(new Error('offline'));
        await flush();
      },
    },
  },
  timers: async (_, ms) => await vi.advanceTimersByTimeAsync(ms),
  states: {
    '*': ({form}, {state}) => expect(form.view).toBe(state),
    busy: ({form}) => expect(form.tries).toBeGreaterThan(0),
    'ticket.givenUp': ({form}) => expect(form.tries).toBeLessThanOrEqual(2),
  },
};

describe('an object with timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each(testModel(ticketMachine, formModel))(
    '$title',
    async ({run}) => await expect(run()).resolves.toBeUndefined(),
  );

  test('that waits too long fails a case, and the message names the step', async () => {
    const messages: string[] = [];
    const slow = testModel(ticketMachine, {...formModel, sut: () => startForm(1_001)});
    for (const {run} of slow) {
      await run().catch(({message}) => messages.push(message));
    }
    expect(messages).toEqual([
      expect.stringMatching(/^after pause in ticket\.failed: expected 'failed' to be 'saving'/),
    ]);
  });
});

describe('a server', () => {
  const servers: Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));

  /** Resolves with the address. */
  async function listen(server: Server): Promise<string> {
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  /** Tickets over HTTP; they are saved by another server, whose answers the test gives. */
  async function start() {
    const waiting: PromiseWithResolvers<number>[] = [];
    const store = await listen(
      createServer(
        (request, response) =>
          void (async () => {
            const answer = Promise.withResolvers<number>();
            waiting.push(answer);
            await read(request);
            response.writeHead(await answer.promise).end('{"id": 7}');
          })(),
      ),
    );
    const settled: Promise<unknown>[] = [];
    const form = new TicketForm(async (words) => {
      const answer = fetch(store, {method: 'POST', body: words});
      settled.push(answer.catch(() => {}));
      const reply = await answer;
      if (!reply.ok) throw new Error(`status ${reply.status}`);
      return {id: 7};
    });
    const address = await listen(
      createServer(
        (request, response) =>
          void (async () => {
            const words = await read(request);
            if (request.method === 'POST') form.send(words);
            if (request.method === 'PUT') form.retry();
            response.end(JSON.stringify({view: form.view}));
          })(),
      ),
    );
    const answer = async (status: number) => {
      await vi.waitFor(() => expect(waiting).toHaveLength(form.tries));
      waiting.at(-1)?.resolve(status);
      await settled.at(-1);
    };
    return {address, answer};
  }

  const cases = testModel(ticketMachine, {
    samples: ticketSamples,
    sut: start,
    events: {
      sent: async ({address}, event) => await fetch(address, {method: 'POST', body: event.text}),
      retried: async ({address}) => await fetch(address, {method: 'PUT'}),
    },
    outcomes: {
      save: {
        done: async ({answer}) => await answer(200),
        fails: async ({answer}) => await answer(500),
      },
    },
    timers: async (_, ms) => await vi.advanceTimersByTimeAsync(ms),
    states: {
      '*': async ({address}, {state}) =>
        await vi.waitFor(async () => {
          const body = await (await fetch(address)).text();
          if (body !== JSON.stringify({view: state})) throw new Error(body);
        }),
    },
  });

  beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
  afterEach(() => void vi.useRealTimers());

  test.each(cases)('$title', async ({run}) => await expect(run()).resolves.toBeUndefined());
});

describe('the cases of a model', () => {
  const base = {samples: ticketSamples, sut: () => ({})};

  test('need an entry for each move', () => {
    expect(() => testModel(ticketMachine, {...base, events: {sent: () => {}}})).toThrow(
      "testModel needs outcomes['save'].done, outcomes['save'].fails, timers, events['retried']",
    );
  });

  test('refuse a state that the machine has not', () => {
    expect(() => testModel(ticketMachine, {...base, states: {savin: () => {}}})).toThrow(
      'states: ticket has no state and no tag "savin"; did you mean "saving"?',
    );
  });

  test('run meta.test of the states, start with each input and end the program', async () => {
    const seen: string[] = [];
    const types: {input?: {readonly to: string}; context?: {readonly to: string}} = {};
    const note = (name: string) => ({test: (sut: string) => seen.push(`${sut} ${name}`)});
    const machine = setup({types}).createMachine({
      context: ({input}) => ({to: input.to}),
      initial: 'a',
      states: {a: {meta: note('a'), on: {GO: 'b'}}, b: {meta: note('b')}},
    });
    const cases = testModel(machine, {
      samples: {inputs: [{to: 'x'}, {to: 'y'}]},
      sut: (input) => input?.to ?? '',
      close: (sut) => seen.push(`close ${sut}`),
      events: {GO: (sut) => seen.push(`${sut} GO`)},
    });
    for (const {run} of cases) await run();
    expect(seen).toContain('x GO');
    expect(seen.filter((each) => each.startsWith('close'))).toHaveLength(cases.length);
    expect(seen.slice(0, 3)).toEqual(['x a', 'x GO', 'x b']);
  });

  test('let time pass so that no other timer is due before the one that fires', async () => {
    const machine = createMachine({
      id: 'm',
      type: 'parallel',
      states: {
        long: {initial: 'a', states: {a: {after: {1000: 'b'}}, b: {}}},
        short: {initial: 'off', states: {off: {on: {START: 'on'}}, on: {after: {10: 'off'}}}},
      },
    });
    const logs: (string | number)[][] = [];
    const cases = testModel(machine, {
      sut: () => {
        const log: (string | number)[] = [];
        logs.push(log);
        return log;
      },
      events: {START: (log) => log.push('START')},
      timers: (log, ms) => log.push(ms),
    });
    for (const {run} of cases) await run();
    expect(logs).toEqual([[1000, 'START', 10]]);
  });
});
