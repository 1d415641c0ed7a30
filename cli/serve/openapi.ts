/** The OpenAPI 3.1 document of the routes, generated from the schemas that check requests. */

import {z} from 'zod';

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Reply, Route} from './routes/route.ts';
import {components} from './routes/schemas.ts';

export function openApiOf(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes)
    paths[route.path] = {...paths[route.path], [route.method]: operationOf(route)};
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quorate',
      version,
      description:
        'Forms filled by conversation, and runs of the other forms. Respondents hold the token of their submission; everything else is the owner’s.',
      license: {name: 'MIT', identifier: 'MIT'},
    },
    servers: [{url: '/'}],
    tags: ['forms', 'submissions', 'interactions', 'server'].map((name) => ({name})),
    paths,
    components: {
      securitySchemes: {
        respondent: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that came with a new submission.',
        },
        owner: {
          type: 'http',
          scheme: 'bearer',
          description: 'QUORATE_OWNER_TOKEN, or the one that the server prints at its start.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

function componentSchemas(): JsonObject {
  const {schemas} = z.toJSONSchema(components, {uri: uriOf, io: 'input'});
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, embedded(schema)]),
  );
}

function uriOf(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Without the members that only a document's root has. */
function embedded(schema: unknown): JsonObject {
  const whole: JsonObject = JSON.parse(JSON.stringify(schema));
  const {$schema: _schema, $id: _id, ...rest} = whole;
  return rest;
}

function operationOf(route: Route): JsonObject {
  const {summary, detail, access, body, method, path} = route;
  const security = {
    anyone: [],
    respondent: [{respondent: []}, {owner: []}],
    owner: [{owner: []}],
  }[access];
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    summary,
    ...(detail === undefined ? {} : {description: detail}),
    security,
    parameters: parametersOf(route),
    ...(body ? {requestBody: {content: {'application/json': {schema: schemaOf(body)}}}} : {}),
    responses: {...repliesOf(route.replies), ...errorsOf(route)},
  };
}

/** `post /v1/forms/{form}/submissions` → `postFormsByFormSubmissions`. */
function operationId(method: string, path: string): string {
  const named = path.replaceAll(/\{(\w)/g, (_, letter: string) => `by${letter.toUpperCase()}`);
  const words = named.split(/\W/).filter((word) => word !== '' && word !== 'v1');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function tagOf(path: string): string {
  if (!path.startsWith('/v1/')) return 'server';
  return path.split('/').findLast((word) => word === 'submissions') ?? path.split('/')[2] ?? '';
}

function parametersOf({path, query = {}, headers = {}}: Route): JsonObject[] {
  const text = {type: 'string'};
  return [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: text,
    })),
    ...parameters('query', query),
    ...parameters('header', headers),
  ];
}

function parameters(place: string, described: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(described).map(([name, description]) => ({
    name,
    in: place,
    description,
    schema: {type: 'string'},
  }));
}

function repliesOf(replies: Readonly<Record<number, Reply>>): JsonObject {
  return Object.fromEntries(
    Object.entries(replies).map(([status, {text, schema, type = 'application/json'}]) => {
      const shape = schema ? schemaOf(schema) : {type: 'string'};
      const isBare = !schema && type === 'application/json';
      return [status, {description: text, ...(isBare ? {} : {content: {[type]: {schema: shape}}})}];
    }),
  );
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing or unknown.',
  403: 'The token does not give access, or the request comes from another site.',
  404: 'The resource does not exist.',
  413: 'The body is too large.',
  429: 'Too many requests; Retry-After is the time to wait, in seconds.',
};

function errorsOf({access, body, path, errors = {}}: Route): JsonObject {
  const statuses = [
    ...(body ? [400, 413] : []),
    ...(access === 'anyone' ? [] : [401]),
    403,
    ...(path.includes('{') ? [404] : []),
    429,
  ];
  const known: Readonly<Record<string, string>> = Object.fromEntries(
    statuses.map((status) => [status, meanings[status] ?? '']),
  );
  return Object.fromEntries(
    Object.entries<string>({...known, ...errors}).map(([status, description]) => [
      status,
      {description, content: {'application/json': {schema: {$ref: uriOf('Error')}}}},
    ]),
  );
}

/** A schema with a name becomes a reference. */
function schemaOf(schema: z.ZodType): JsonObject {
  const name = components.get(schema)?.id;
  if (name !== undefined) return {$ref: uriOf(name)};
  return embedded(z.toJSONSchema(schema, {io: 'input'}));
}
