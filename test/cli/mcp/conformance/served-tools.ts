/** The tools that the official conformance suite calls by name, served by the endpoint of `quorate serve`. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {z} from 'zod';

const nothing = z.object({});
const text = (said: string) => ({content: [{type: 'text' as const, text: said}]});
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const image = {type: 'image' as const, data: pixel, mimeType: 'image/png'};
const audio = {type: 'audio' as const, data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav'};
const embedded = (uri: string, mimeType: string, body: string) => ({
  type: 'resource' as const,
  resource: {uri, mimeType, text: body},
});

/** All keywords of draft 2020-12 that the suite looks for. */
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: {street: {type: 'string'}, city: {type: 'string'}},
    },
  },
  properties: {
    name: {type: 'string'},
    address: {$ref: '#/$defs/address'},
    contactMethod: {type: 'string', enum: ['phone', 'email']},
    phone: {type: 'string'},
    email: {type: 'string'},
  },
  allOf: [{anyOf: [{required: ['phone']}, {required: ['email']}]}],
  ...JSON.parse(`{
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]}
  }`),
  additionalProperties: false,
} as const;

const states = createRequestStateCodec<number>({key: 'of a test, which has no secret to keep'});

const question = (message: string, name: string, shape: z.ZodType = z.string()) =>
  inputRequired.elicit({mode: 'form', message, requestedSchema: z.object({[name]: shape})});

export function createTestServer(): McpServer {
  const server = new McpServer(
    {name: 'conformance', version: '1'},
    {
      capabilities: {tools: {listChanged: false}},
      requestState: {verify: async (state, context) => await states.verify(state, context)},
    },
  );
  registerContents(server);
  registerQuestions(server);
  return server;
}

function registerContents(server: McpServer): void {
  const plain = (name: string, result: {content: object[]}): void => {
    server.registerTool(name, {description: name, inputSchema: nothing}, async () => ({
      content: z.array(z.any()).parse(result.content),
    }));
  };
  plain('test_simple_text', text('This is a simple text response for testing.'));
  plain('test_logging_tool', text('It logs nothing.'));
  plain('test_image_content', {content: [image]});
  plain('test_audio_content', {content: [audio]});
  const uri = 'test://embedded-resource';
  plain('test_embedded_resource', {
    content: [embedded(uri, 'text/plain', 'This is an embedded resource content.')],
  });
  const data = JSON.stringify({test: 'data', value: 123});
  plain('test_multiple_content_types', {
    content: [
      ...text('Multiple content types test:').content,
      image,
      embedded('test://mixed-content-resource', 'application/json', data),
    ],
  });
  server.registerTool(
    'test_error_handling',
    {description: 'Always fails.', inputSchema: nothing},
    () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    {description: 'Reports progress.', inputSchema: nothing},
    async (_, {mcpReq: {_meta, notify}}) => {
      const progressToken = _meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = {progressToken, progress, total: 100};
        await notify({method: 'notifications/progress', params});
      }
      return text('done');
    },
  );
  const headed = {type: 'object', properties: {region: {type: 'string', 'x-mcp-header': 'Region'}}};
  server.registerTool(
    'test_custom_headers',
    {description: 'Has an argument that is sent as a header.', inputSchema: fromJsonSchema(headed)},
    async () => text('done'),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    {description: 'Has a schema of draft 2020-12.', inputSchema: fromJsonSchema(schema2020)},
    async () => text('done'),
  );
}

const answered = ({mcpReq}: ServerContext, key: string) => {
  const view = inputResponse(mcpReq.inputResponses, key);
  return view.kind === 'elicit' && view.action === 'accept' ? view.content : undefined;
};
const asksName = async (context: ServerContext) => {
  const name = answered(context, 'user_name')?.['name'];
  return typeof name === 'string'
    ? text(`Hello, ${name}!`)
    : inputRequired({inputRequests: {user_name: question('What is your name?', 'name')}});
};

const confirms = async (context: ServerContext) =>
  context.mcpReq.requestState<number>() === 1
    ? text('state-ok')
    : inputRequired({
        inputRequests: {confirm: question('Please confirm', 'ok', z.boolean())},
        requestState: await states.mint(1),
      });

function registerQuestions(server: McpServer): void {
  const register = (
    name: string,
    handle: (
      context: ServerContext,
    ) => Promise<ReturnType<typeof text> | ReturnType<typeof inputRequired>>,
  ): void => {
    server.registerTool(
      name,
      {description: name, inputSchema: nothing},
      async (_, context) => await handle(context),
    );
  };
  register('test_input_required_result_elicitation', asksName);
  register('test_streaming_elicitation', asksName);
  register('test_missing_capability', async () =>
    inputRequired({
      inputRequests: {greeting: inputRequired.createMessage({messages: [], maxTokens: 50})},
    }),
  );
  register('test_input_required_result_request_state', confirms);
  register('test_input_required_result_tampered_state', confirms);
  register('test_input_required_result_multi_round', async ({mcpReq}) => {
    const step = (mcpReq.requestState<number>() ?? 0) + 1;
    if (step === 3) return text('done');
    const [message, name] =
      step === 1
        ? ['Step 1: What is your name?', 'name']
        : ['Step 2: What is your favorite color?', 'color'];
    return inputRequired({
      inputRequests: {[`step${step}`]: question(message, name)},
      requestState: await states.mint(step),
    });
  });
  register('test_input_required_result_capabilities', async ({mcpReq}) => {
    const sent: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const capabilities = z.looseObject({}).parse(sent[CLIENT_CAPABILITIES_META_KEY]);
    return 'elicitation' in capabilities
      ? inputRequired({inputRequests: {user_name: question('What is your name?', 'name')}})
      : text('This client takes no questions.');
  });
}
