/** The HTTP interface of the inspector. Everything is the owner's. */

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson} from '../../machines/domain/json.ts';
import {Packer} from '../../machines/trace/packing.ts';
import {usageError} from '../line/usage-error.ts';
import {eventStream, type Streaming} from '../serve/event-stream.ts';
import {type Route, route, routeWithBody} from '../serve/routes/route.ts';
import {framesOf} from './trace-frames.ts';
import type {RunSubject, Traces} from './traces.ts';

const access = 'owner';
const path = '/v1/traces/{id}';

export function inspectorRoutes(traces: Traces, streaming: Streaming): Route[] {
  return [...readingRoutes(traces, streaming), ...changingRoutes(traces)];
}

function readingRoutes(traces: Traces, streaming: Streaming): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/traces',
      summary: 'Lists the traces, the newest first.',
      access,
      replies: {200: {text: 'Without their steps.'}},
      answer: async () => Response.json({traces: await traces.list()}),
    }),
    route({
      method: 'get',
      path,
      summary: 'The head of a trace.',
      access,
      replies: {200: {text: 'What it is, and in which state.'}},
      answer: async ({params: {id = ''}}) => Response.json(await (await traces.find(id)).head()),
    }),
    route({
      method: 'get',
      path: `${path}/steps`,
      summary: 'Follows a trace: its steps, packed, and its head whenever that changes.',
      access,
      headers: {'Last-Event-ID': 'Continues after this step.'},
      replies: {200: {text: 'Events: head, steps, ready.', type: 'text/event-stream'}},
      answer: async ({params: {id = ''}, request, bindings}) => {
        const subject = await traces.find(id);
        const last = request.headers.get('last-event-id');
        const after = last !== null && /^\d+$/.test(last) ? Number(last) : -1;
        return eventStream(bindings, (signal) => framesOf(subject, after, signal), streaming);
      },
    }),
    route({
      method: 'get',
      path: `${path}/calls`,
      summary: 'The model calls of a run, with their prompts, packed.',
      access,
      replies: {200: {text: 'In the order of the requests.'}},
      answer: async ({params: {id = ''}}) => {
        const calls = await (await traces.find(id)).calls();
        return Response.json(new Packer().pack({calls: calls.map(asJson)}));
      },
    }),
    route({
      method: 'get',
      path: `${path}/charts/{machine}`,
      summary: 'The chart of a machine of a trace.',
      access,
      replies: {200: {text: 'Its drawing and its states.'}},
      answer: async ({params: {id = '', machine = ''}}) => {
        const chart = await (await traces.find(id)).chart(machine);
        if (!chart) throw new AppError('not_found', `there is no chart of ${machine}`);
        return Response.json(chart);
      },
    }),
  ];
}

const event = z.strictObject({
  event: z.looseObject({type: z.string().min(1)}),
  actor: z.string().optional(),
});
const entry = z.number().int().min(0);

function changingRoutes(traces: Traces): Route[] {
  const runOf = async (id: string): Promise<RunSubject> => {
    const subject = await traces.find(id);
    if ('fork' in subject) return subject;
    throw usageError({
      en: 'only a run can be forked or rewound',
      ja: '分岐と巻き戻しができるのは実行だけです',
    });
  };
  return [
    routeWithBody({
      method: 'post',
      path: `${path}/events`,
      summary: 'Sends an event to a run, or to an actor of a program.',
      access,
      body: event,
      replies: {200: {text: 'The head of the trace.'}},
      answer: async ({params: {id = ''}}, given) => {
        const subject = await traces.find(id);
        await subject.send({...asJson(given.event), type: given.event.type}, given.actor);
        return Response.json(await subject.head());
      },
    }),
    routeWithBody({
      method: 'post',
      path: `${path}/fork`,
      summary: 'Continues a run after one of its entries, as a new run.',
      access,
      body: z.strictObject({at: entry, say: z.string().optional()}),
      replies: {201: {text: 'The id of the new run.'}},
      answer: async ({params: {id = ''}}, {at, say}) =>
        Response.json({id: await (await runOf(id)).fork(at, say)}, {status: 201}),
    }),
    routeWithBody({
      method: 'post',
      path: `${path}/rewind`,
      summary: 'As fork, and takes back the later file changes of the run.',
      access,
      body: z.strictObject({to: entry, dryRun: z.boolean()}),
      replies: {200: {text: 'The files, and the id of the new run.'}},
      answer: async ({params: {id = ''}}, {to, dryRun}) =>
        Response.json(await (await runOf(id)).rewind(to, dryRun)),
    }),
  ];
}
