/** LangGraph: the same worker, the same tool, in its prebuilt agent. */

import {BaseChatModel} from '@langchain/core/language_models/chat_models';
import {AIMessage} from '@langchain/core/messages';
import {tool} from '@langchain/core/tools';
import {Annotation, interrupt, MemorySaver, StateGraph} from '@langchain/langgraph';
import {createReactAgent} from '@langchain/langgraph/prebuilt';
import {ChatOpenAI} from '@langchain/openai';
import {z} from 'zod';

import {wait} from './measure.mjs';

const tick = tool(async () => 'ok', {
  name: 'tick',
  description: 'Does nothing.',
  schema: z.strictObject({turn: z.number()}),
});

class Worker extends BaseChatModel {
  constructor(ways) {
    super({});
    this.ways = ways;
  }

  _llmType() {
    return 'bench';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const {turns, latencyMs, onCall} = this.ways;
    onCall();
    await wait(latencyMs);
    const turn = messages.filter((message) => message.getType() === 'ai').length;
    const calls = turn < turns ? [{id: `c${turn}`, name: 'tick', args: {turn}}] : [];
    const text = turn < turns ? '' : 'counted';
    const message = new AIMessage({content: text, tool_calls: calls});
    return {generations: [{text, message}]};
  }
}

export function createWorld({turns, latencyMs = 0, url, onCall = () => {}}) {
  const llm =
    url === undefined
      ? new Worker({turns, latencyMs, onCall})
      : new ChatOpenAI({
          model: 'worker',
          apiKey: 'none',
          configuration: {baseURL: `${url}/${turns}/v1`},
        });
  const agent = createReactAgent({llm, tools: [tick]});
  return {
    run: async () => {
      const messages = [{role: 'user', content: 'count'}];
      const end = await agent.invoke({messages}, {recursionLimit: 2 * turns + 10});
      const {content} = end.messages.at(-1);
      if (content !== 'counted') throw new Error(`the peer's run ended with: ${content}`);
    },
  };
}

/** Reviewers that answer after these times, as nodes side by side. */
export function createPanel(latenciesMs) {
  const Votes = Annotation.Root({
    votes: Annotation({reducer: (before, more) => before.concat(more), default: () => []}),
  });
  const graph = new StateGraph(Votes).addNode('decide', () => ({}));
  for (const [seat, latencyMs] of latenciesMs.entries()) {
    const ask = new Worker({turns: 0, latencyMs, onCall: () => {}});
    const vote = async () => ({votes: [(await ask.invoke('approve?')).content]});
    graph.addNode(`seat${seat}`, vote).addEdge('__start__', `seat${seat}`);
    graph.addEdge(`seat${seat}`, 'decide');
  }
  const compiled = graph.addEdge('decide', '__end__').compile();
  return async () => await compiled.invoke({votes: []});
}

/** Runs that wait for a person, as checkpoints in memory. */
export function createWaiting() {
  const Asked = Annotation.Root({request: Annotation()});
  const graph = new StateGraph(Asked)
    .addNode('ask', () => ({request: interrupt('approve?')}))
    .addEdge('__start__', 'ask')
    .addEdge('ask', '__end__')
    .compile({checkpointer: new MemorySaver()});
  let threads = 0;
  return async () => {
    const configurable = {thread_id: String((threads += 1))};
    const {__interrupt__: asked} = await graph.invoke({request: 'count'}, {configurable});
    if (asked?.length !== 1) throw new Error('the graph does not wait');
  };
}
