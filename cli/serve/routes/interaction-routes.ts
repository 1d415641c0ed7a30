/** The owner's interactions over HTTP, and their past: points, moments, forks and rewinds. */

import type {z} from 'zod';

import {asJson} from '../../../machines/domain/json.ts';
import {eventStream, type Streaming} from '../event-stream.ts';
import type {Interactions} from '../interactions.ts';
import {route, type Route, routeWithBody} from './route.ts';
import {
  decision,
  interaction,
  interactionList,
  moment,
  newFork,
  newInteraction,
  newRewind,
  nothing,
  pointList,
  rewound,
} from './schemas.ts';

const one = {200: {text: 'Its current state.', schema: interaction}};
const notNow = {
  409: 'No open question accepts it, or another process runs the interaction in a journal of one machine.',
};
const access = 'owner';
const path = '/v1/interactions';

export function interactionRoutes(interactions: Interactions, streaming: Streaming): Route[] {
  return [
    beginRoute(interactions),
    listRoute(interactions),
    lookRoute(interactions),
    eventsRoute(interactions, streaming),
    decideRoute(interactions),
    cancelRoute(interactions),
  ];
}

function beginRoute({begin}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path,
    summary: 'Begins a run in the folder of the server.',
    detail:
      'An agent plans, has its plan voted on, and works; ask answers with tools that only read.',
    access,
    body: newInteraction,
    replies: {201: {text: 'The run has begun.', schema: interaction}},
    answer: async (_, body) => Response.json(await begin(body), {status: 201}),
  });
}

function listRoute({list}: Interactions): Route {
  return route({
    method: 'get',
    path,
    summary: 'The runs that this server has begun, the newest first.',
    access,
    replies: {200: {text: 'At most 100 runs.', schema: interactionList}},
    answer: async () => {
      const all = await list();
      const rows = all.map(({id, form, request, status}) => ({id, form, request, status}));
      return Response.json({interactions: rows});
    },
  });
}

function lookRoute({look}: Interactions): Route {
  return route({
    method: 'get',
    path: `${path}/{id}`,
    summary: 'A run: its status, the gates that wait for a person, its result.',
    detail:
      'Every run of the journal can be read. A run that this server began can be decided and cancelled, and in a journal that machines share every run.',
    access,
    replies: one,
    answer: async ({params: {id = ''}}) => Response.json(await look(id)),
  });
}

function eventsRoute({follow}: Interactions, streaming: Streaming): Route {
  return route({
    method: 'get',
    path: `${path}/{id}/events`,
    summary: 'Its progress events, as server-sent events; ends after the result.',
    detail:
      'A run is followed wherever it is performed; one of another process within about a second. Ids hold on every server of the journal. Warnings and pieces of streamed text have none, and only the server of the run sends them.',
    access,
    headers: {'Last-Event-ID': 'Continues after this event, also one of another server.'},
    replies: {200: {text: 'Progress events, then the result.', type: 'text/event-stream'}},
    answer: async ({params: {id = ''}, request, bindings}) => {
      const last = request.headers.get('last-event-id') ?? undefined;
      const frames = await follow(id, last);
      return eventStream(bindings, () => frames, streaming);
    },
  });
}

function decideRoute({send}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/{id}/decisions`,
    summary: 'Decides at a gate that waits for a person.',
    detail:
      'The gate may be left out when one is open. An edited plan has the shape of a result’s.',
    access,
    body: decision,
    replies: one,
    errors: notNow,
    answer: async ({params: {id = ''}}, given) => {
      return Response.json(await send(id, {type: 'human.decided', ...plainOf(given)}));
    },
  });
}

function plainOf(given: z.infer<typeof decision>) {
  return given.decision === 'edit' ? {...given, plan: asJson(given.plan)} : given;
}

function cancelRoute({send}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/{id}/cancel`,
    summary: 'Cancels a run: nothing new starts, calls in flight are aborted.',
    access,
    body: nothing,
    replies: one,
    answer: async ({params: {id = ''}}) => Response.json(await send(id, {type: 'user.cancel'})),
  });
}

// The past of the owner's interactions over HTTP: points, moments, forks and rewinds.

const busyNow = {409: 'The run is at work, or another run is changing its folder.'};

export function historyRoutes(interactions: Interactions): Route[] {
  return [
    pointsRoute(interactions),
    momentRoute(interactions),
    forkRoute(interactions),
    rewindRoute(interactions),
  ];
}

function pointsRoute({points}: Interactions): Route {
  return route({
    method: 'get',
    path: `${path}/{id}/points`,
    summary: 'Replays a run: its named points, and the entries at which the replay differs.',
    access,
    replies: {200: {text: 'In the order in which they begin.', schema: pointList}},
    answer: async ({params: {id = ''}}) => Response.json(await points(id)),
  });
}

function momentRoute({momentAt}: Interactions): Route {
  return route({
    method: 'get',
    path: `${path}/{id}/moments/{point}`,
    summary: 'A run as it was after an entry or a named point: its actors and open calls.',
    detail: 'Private answers of an interview are masked.',
    access,
    replies: {200: {text: 'Each actor after its parent.', schema: moment}},
    answer: async ({params: {id = '', point = ''}}) => Response.json(await momentAt(id, point)),
  });
}

function forkRoute({fork}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/{id}/fork`,
    summary: 'Continues a run that this server began from an earlier point, as a new run.',
    detail: 'A named point means the moment before it. The folder must be as it was then.',
    access,
    body: newFork,
    replies: {201: {text: 'The new run has begun.', schema: interaction}},
    errors: busyNow,
    answer: async ({params: {id = ''}}, given) =>
      Response.json(await fork(id, given), {status: 201}),
  });
}

function rewindRoute({rewind}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/{id}/rewind`,
    summary: 'As fork, and takes back the later file changes of the run.',
    detail: 'With `dryRun`, and when a file can’t be taken back, nothing is changed.',
    access,
    body: newRewind,
    replies: {200: {text: 'The files, and the new run if it has begun.', schema: rewound}},
    errors: busyNow,
    answer: async ({params: {id = ''}}, given) => Response.json(await rewind(id, given)),
  });
}
