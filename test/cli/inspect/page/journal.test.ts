/** What the inspector's page derives from the entries of a journal, the place in its address, and how it follows a trace. */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';

import {assert, integer, property, record, string} from 'fast-check';
import {expect, test, afterEach} from 'vitest';

import {differencesBetween} from '../../../../cli/inspect/page/browser/derived/actors.ts';
import {
  callOfBallot,
  callsAt,
  firstStep,
  gatesAt,
  marksOf,
  nextMark,
  roundsAt,
  totalsOf,
  viewsOf,
} from '../../../../cli/inspect/page/browser/derived/fold.ts';
import {
  entryLine,
  requestsOf,
  journalRows,
} from '../../../../cli/inspect/page/browser/derived/journal.ts';
import {parsePlace, placeText} from '../../../../cli/inspect/page/browser/shell/place.ts';
import {followSteps, SourceError} from '../../../../cli/inspect/page/browser/sources/source.ts';
import type {HumanQuestion} from '../../../../machines/domain/human.ts';
import {asJson} from '../../../../machines/domain/json.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import type {Moments} from '../../../../machines/trace/moments.ts';
import {Packer} from '../../../../machines/trace/packing.ts';
import type {ActorChange, ActorState, ModelCall} from '../../../../machines/trace/step.ts';
import {baseRound} from '../../fake-run.ts';
import {entry, momentsOf, noted, received, reported, requested, stepWith} from './moments.ts';

function linesOf(moments: Moments): string[] {
  return moments.steps.map((step) => {
    const {type, line} = entryLine(step, requestsOf(moments));
    return `${type} ${line}`;
  });
}

test('an entry is one line in the words of the journal', () => {
  const key = 'i/seat:a/model#1';
  const calls = [{name: 'cast_ballot', args: {verdict: 'approve', reasons: ['good']}}];
  const moments = momentsOf(
    requested(key, 'callModel', 'mock/a'),
    entry({type: 'settled', key, outcome: {kind: 'ok', text: '', calls}}),
    entry({type: 'settled', key, outcome: {kind: 'overloaded', message: 'try\n later'}}),
    entry({type: 'settled', key, outcome: {kind: 'ok', text: 'ran', confinement: 'landlock'}}),
    entry({type: 'settled', key, outcome: {kind: 'ok', text: 'ran', confinement: 'none'}}),
    received({type: 'human.decided', decision: 'approve'}),
    noted({type: 'quorum.decided', verdict: 'rejected', summary: '[●○○]', title: 'A plan'}),
    entry({type: 'fired', timer: 3}),
    entry({type: 'closed', result: {status: 'completed', summary: 'all done'}}),
  );
  expect(linesOf(moments).slice(1)).toEqual([
    'settled callModel mock/a → cast_ballot approve',
    'settled callModel mock/a → overloaded try later',
    'settled callModel mock/a → ok (confinement: landlock) ran',
    'settled callModel mock/a → ok (confinement: none) ran',
    'received human.decided approve',
    'noted quorum.decided rejected [●○○] A plan',
    'fired timer 3',
    'closed completed all done',
  ]);
});

test('a long line is cut', () => {
  const [line = ''] = linesOf(momentsOf(received({type: 'user.said', text: 'x'.repeat(5000)})));
  expect(line.length).toBeLessThan(320);
  expect(line).toMatch(/x…$/);
});

test('an event of a program names the actor that received it', () => {
  const cause = {kind: 'event', to: 'door', event: {type: 'open', by: 'Ada'}} as const;
  expect(linesOf(momentsOf({cause}))).toEqual(['open door {"by":"Ada"}']);
});

test('a gap is a row before the step that follows it', () => {
  const moments = momentsOf({seq: 0}, {seq: 5}, {seq: 6});
  const first = {from: 1, to: 4, reason: 'removed'};
  const last = {from: 7, reason: 'unreadable'};
  const rows = journalRows(moments, [last, first]);
  expect(rows.count).toBe(5);
  expect([0, 1, 2, 3, 4].map((row) => rows.at(row))).toEqual([
    {kind: 'step', index: 0},
    {kind: 'gap', gap: first},
    {kind: 'step', index: 1},
    {kind: 'step', index: 2},
    {kind: 'gap', gap: last},
  ]);
  expect([0, 1, 2].map((index) => rows.rowOf(index))).toEqual([0, 2, 3]);
});

const panel = 'i/interaction/form/quorum';

const roundStarted: Report = {
  type: 'quorum.started',
  round: 1,
  kind: 'plan',
  title: 'Write it',
  rule: 'majority',
  seats: ['a', 'b'],
};

function ballot(model: string, verdict: 'approve' | 'reject'): Report {
  const approved = verdict === 'approve';
  const vote = {model, approved, verdict, reasoning: '', reasons: [], confidence: 0.5};
  return {type: 'ballot.cast', round: 1, kind: 'plan', vote};
}

const decided: Report = {
  ...baseRound,
  type: 'quorum.decided',
  proposalHash: 'f0',
  seats: ['a', 'b'],
  weights: {a: 1, b: 1},
  participation: {cast: 2, required: 1},
  verdict: 'approved',
  approved: true,
  summary: '[●○]',
  timestamp: 3,
};

/** The votes of each round after a step, each with its own step, and the outcome with its step. */
function votesAt(moments: Moments, index: number): unknown[] {
  return roundsAt(viewsOf(moments), index).map(({round, cast, decided: at}) => [
    round.votes.map(({model, verdict}, place) => [cast[place], model, verdict]),
    round.decided && [at, round.decided.summary],
  ]);
}

const question: HumanQuestion = {
  kind: 'plan',
  request: '',
  reason: 'Is it right?',
  proposalHash: 'old',
  history: [],
  allowed: ['approve'],
};

const gate = 'i/gate#1';
const gateAsked: Report = {type: 'human.requested', gate, question};

test('votes, gates and plans are marked, and can be walked in both directions', () => {
  const moments = momentsOf({}, reported(panel, decided), {}, reported(panel, gateAsked), {});
  const marks = marksOf(moments);
  expect(marks).toEqual([
    {index: 1, kind: 'approved'},
    {index: 3, kind: 'gate'},
  ]);
  expect([nextMark(marks, 1, 1), nextMark(marks, 3, 1)]).toEqual([3, undefined]);
  expect([nextMark(marks, 3, -1), nextMark(marks, 1, -1)]).toEqual([1, undefined]);
});

test('a round has the ballots and the outcome that there were at the moment', () => {
  const [first, second] = [ballot('a', 'approve'), ballot('b', 'reject')];
  const votes = [first, second].flatMap((cast) => (cast.type === 'ballot.cast' ? [cast.vote] : []));
  const moments = momentsOf(
    reported(panel, roundStarted),
    reported(panel, first),
    reported(panel, second, {...decided, votes}),
  );
  expect(votesAt(moments, 0)).toEqual([[[], undefined]]);
  expect(votesAt(moments, 1)).toEqual([[[[1, 'a', 'approve']], undefined]]);
  const both = [
    [1, 'a', 'approve'],
    [2, 'b', 'reject'],
  ];
  expect(votesAt(moments, 2)).toEqual([[both, [2, '[●○]']]]);
});

test('votes of two panels at the same time keep their ballots apart', () => {
  const moments = momentsOf(
    reported('i/task:1/quorum', roundStarted),
    reported('i/task:2/quorum', roundStarted),
    reported('i/task:2/quorum', ballot('a', 'reject')),
    reported('i/task:1/quorum', ballot('a', 'approve')),
  );
  expect(votesAt(moments, 3)).toEqual([
    [[[3, 'a', 'approve']], undefined],
    [[[2, 'a', 'reject']], undefined],
  ]);
});

test('a decision whose vote was not seen is a round with its record', () => {
  const {length} = votesAt(momentsOf(reported(panel, decided)), 0);
  expect(length).toBe(1);
});

test('the later ballot of a seat replaces the earlier one', () => {
  const moments = momentsOf(
    reported(panel, roundStarted, ballot('a', 'approve')),
    reported(panel, ballot('a', 'reject')),
  );
  expect(votesAt(moments, 0)).toEqual([[[[0, 'a', 'approve']], undefined]]);
  expect(votesAt(moments, 1)).toEqual([[[[1, 'a', 'reject']], undefined]]);
});

test('steps that arrive later continue the rounds', () => {
  const moments = momentsOf(reported(panel, roundStarted));
  expect(votesAt(moments, 0)).toEqual([[[], undefined]]);
  const [step] = momentsOf({}, reported(panel, ballot('a', 'approve'))).steps.slice(1);
  moments.add(step ? [step] : []);
  expect(votesAt(moments, 1)).toEqual([[[[1, 'a', 'approve']], undefined]]);
});

test('the first step at which something holds is found, or none', () => {
  const views = viewsOf(momentsOf({}, {}, reported(panel, gateAsked), {}));
  expect(firstStep(views, ({gates}) => gates.length > 0)).toBe(2);
  expect(firstStep(views, ({rounds}) => rounds.length > 0)).toBe(-1);
});

test('the prompt of a ballot is that of the last call of its own seat until then', () => {
  const call = (actor: string, callRequested: number): {actor: string; requested: number} => ({
    actor: `${panel}/poll/${actor}`,
    requested: callRequested,
  });
  const calls = [
    call('seat:a/call/model', 1),
    call('seat:a/call/model', 3),
    call('seat:ab/call/model', 4),
    call('seat:a/call/model', 9),
  ];
  expect(callOfBallot(calls, {actor: panel, seat: 'a', seq: 5})).toBe(calls[1]);
  expect(callOfBallot(calls, {actor: panel, seat: 'policy/safety', seq: 5})).toBeUndefined();
  expect(callOfBallot(calls, {actor: `${panel}2`, seat: 'a', seq: 5})).toBeUndefined();
});

test('a gate that is asked again has the newest question', () => {
  const newer = {...question, reason: 'Is this one right?', proposalHash: 'new'};
  const moments = momentsOf(
    reported('i', gateAsked),
    reported('i', {type: 'human.requested', gate, question: newer}),
  );
  expect(gatesAt(viewsOf(moments), 1)).toEqual([{gate, question: newer, asked: 0}]);
});

test('a decision has its step, its reason and the question before it', () => {
  const decision: Report = {
    type: 'human.decided',
    gate,
    decision: 'approve',
    reason: 'fine',
    proposalHash: 'old',
    by: 'person',
  };
  const moments = momentsOf(reported('i', gateAsked), {}, reported('i', decision));
  expect(gatesAt(viewsOf(moments), 1)).toEqual([{gate, question, asked: 0}]);
  expect(gatesAt(viewsOf(moments), 2)).toMatchObject([
    {asked: 0, decided: 2, question, decision: {decision: 'approve', reason: 'fine'}},
  ]);
});

const modelCall: ModelCall = {
  key: 'i/model#1',
  actor: 'i/model',
  requested: 0,
  settled: 1,
  purpose: 'plan',
  model: 'mock/planner',
  prompt: [
    {role: 'system', text: 'You plan picnics'},
    {role: 'user', text: 'Plan the picnic'},
  ],
  body: {messages: [{role: 'system', content: 'You plan picnics'}]},
  outcome: {kind: 'ok', text: 'Bring bread'},
  usage: {inputTokens: 5, outputTokens: 2, cachedTokens: 1, costUsd: 0.5},
  ms: 9,
};

const modelCalls: readonly ModelCall[] = [
  modelCall,
  {...modelCall, key: 'i/model#2', requested: 1},
];

test('a call has its outcome from the step that settled it on', () => {
  expect(callsAt(modelCalls, -1)).toEqual([]);
  const [early] = callsAt(modelCalls, 0);
  expect(early).not.toHaveProperty('outcome');
  expect(early).not.toHaveProperty('usage');
  expect(callsAt(modelCalls, 1)[0]).toBe(modelCall);
});

test('totals say when the price of a call is not known', () => {
  const {costUsd: _, ...unpriced} = modelCall.usage ?? {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
  };
  expect(totalsOf([modelCall, {...modelCall, usage: unpriced}])).toEqual({
    modelCalls: 2,
    inputTokens: 10,
    outputTokens: 4,
    cachedTokens: 2,
    costUsd: 0.5,
    isCostPartial: true,
  });
});

function actorOf(path: string, more: Partial<ActorState> = {}): ActorState {
  return {path, logic: 'm', machine: 'm', status: 'active', state: 'on', context: {}, ...more};
}

function actorStarted(path: string): Extract<ActorChange, {readonly change: 'started'}> {
  return {change: 'started', ...actorOf(path)};
}

test('actors that began, ended and changed between two moments are found, others are not', () => {
  const moments = momentsOf(
    {changes: ['i', 'i/same', 'i/gone'].map(actorStarted)},
    {
      changes: [
        {change: 'ended', path: 'i/gone'},
        {change: 'started', ...actorOf('i/new')},
        {change: 'moved', path: 'i', state: 'off', context: [{path: ['count'], value: 1}]},
      ],
    },
  );
  const found = differencesBetween(moments.at(0), moments.at(1));
  expect(found.map(({path, kind, members}) => [path, kind, members])).toEqual([
    ['i', 'changed', [{path: ['count'], after: 1}]],
    ['i/new', 'began', []],
    ['i/gone', 'ended', []],
  ]);
});

test('a place is the same after it was written to an address and read from it', () => {
  const text = string({minLength: 1, unit: 'binary'});
  const place = record(
    {run: text, at: integer({min: -1, max: 1e9}), actor: text},
    {requiredKeys: []},
  );
  assert(
    property(place, (given) => {
      expect(parsePlace(placeText(given))).toEqual({...given});
    }),
  );
});

test('the path of an actor can be read in an address', () => {
  expect(placeText({run: 'r1', at: 7, actor: 'i/form/seat:a'})).toBe(
    '#run=r1&at=7&actor=i/form/seat:a',
  );
});

test('a seq that is not a number, and members without a value, are ignored', () => {
  expect(parsePlace('#run=&at=x1&actor=')).toEqual({});
  expect(parsePlace('')).toEqual({});
  expect(parsePlace('#main')).toEqual({});
});

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
