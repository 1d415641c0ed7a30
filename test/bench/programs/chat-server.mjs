/**
 * A Chat Completions server on loopback for a worker of `/TURNS/v1`: it calls the tool in as many turns, then answers.
 * It plans and evaluates, too, when it is offered those tools, and has nothing to explore. Streams for those who want streams.
 */

import {createServer} from 'node:http';

let count = 0;

const usage = {prompt_tokens: 1, completion_tokens: 1, total_tokens: 2};

function sayOf({messages, tools = []}, turns) {
  const offered = new Set(tools.map((tool) => tool.function.name));
  if (offered.has('create_plan')) return call('create_plan', plan);
  if (offered.has('evaluate_result')) return call('evaluate_result', verdict);
  if (offered.has('read_file') && !offered.has('write_file')) return {content: 'nothing to know'};
  const turn = messages.filter(({role}) => role === 'assistant').length;
  return offered.has('tick') && turn < turns ? call('tick', {turn}, turn) : {content: 'counted'};
}

const plan = {
  objective: 'count',
  reasoning: 'to measure',
  tasks: [{id: 't0', description: 'count'}],
};
const verdict = {successful: true, problems: []};

function call(name, args, number = 0) {
  const made = {name, arguments: JSON.stringify(args)};
  return {
    content: null,
    tool_calls: [{index: 0, id: `call_${number}`, type: 'function', function: made}],
  };
}

function send(response, said, isStream) {
  const head = {id: `c${(count += 1)}`, created: 1, model: 'worker'};
  const finish_reason = said.tool_calls ? 'tool_calls' : 'stop';
  const message = {role: 'assistant', ...said};
  if (!isStream) {
    const choices = [{index: 0, message, finish_reason}];
    response.writeHead(200, {'content-type': 'application/json'});
    response.end(JSON.stringify({...head, object: 'chat.completion', choices, usage}));
    return;
  }
  const chunk = (delta, end, rest) => {
    const choices = [{index: 0, delta, finish_reason: end}];
    return `data: ${JSON.stringify({...head, object: 'chat.completion.chunk', choices, ...rest})}\n\n`;
  };
  response.writeHead(200, {'content-type': 'text/event-stream'});
  response.end(`${chunk(message, null)}${chunk({}, finish_reason, {usage})}data: [DONE]\n\n`);
}

async function reply(request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const asked = JSON.parse(Buffer.concat(parts).toString());
  const turns = Number(request.url.split('/')[1]);
  send(response, sayOf(asked, turns), asked.stream === true);
}

const server = createServer((request, response) => void reply(request, response));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
process.stdin.once('close', () => process.exit(0)).resume();
