/** ReAct runtime: a question is answered by a loop of thoughts, tools and observations. */

import type {SpecDocument} from './row.ts';

export const reactRuntime: SpecDocument = {
  subject: 'ReAct runtime',
  sections: [
    {
      title: 'The loop',
      rows: {
        '3.1.1': {
          says: 'First the guardrails check the question',
          code: 'machines/forms/ask/ask.ts#checkingInput',
          test: 'machines/forms/ask/ask.test.ts#guardrails block a question',
        },
        '3.1.2': {
          says: 'The model returns a thought, an action and its input',
          code: 'machines/loop/turn-loop.ts#thinking',
          test: 'actors/ask.test.ts#an answer comes with its steps',
          instead: 'a call of the tool interface of the provider, not a text format',
        },
        '3.1.3': {
          says: 'The tool is looked up by the name of the action',
          code: 'machines/loop/turn-requests.ts#toolCallInput',
          test: 'machines/loop/tool-call.test.ts#a tool that is not offered',
        },
        '3.1.4': {
          says: 'The tool runs, with retries',
          code: 'machines/loop/tool-call.ts#retrying',
          test: 'actors/ask.test.ts#a tool that fails is retried max_retries times',
        },
        '3.1.5': {
          says: 'The observation is added to the state',
          code: 'machines/loop/turn-state.ts#turnClosed',
          test: 'machines/loop/turn-loop.test.ts#the result of a call is read by the model',
        },
        '3.1.6': {
          says: '`max_steps` ends the loop',
          code: 'machines/loop/turn-limits.ts#endOfTurns',
          test: 'machines/loop/turn-loop.test.ts#it ends after its last turn',
          instead: 'then the model answers from its findings',
        },
        '3.1.7': {
          says: 'A final answer ends the loop; otherwise it goes back to the model',
          code: 'machines/loop/turn-loop.ts#isAnswer',
          test: 'machines/loop/turn-loop.test.ts#a reply without a call is the answer',
        },
        '3.1.8': {
          says: 'The result has the answer, the steps and the tool calls',
          code: 'machines/forms/ask/outcome.ts#stepsTaken',
          test: 'cli/ask.test.ts#output as JSON has the result with its steps',
        },
      },
    },
    {
      title: 'AgentRuntime and AgentResult',
      rows: {
        '3.2.1': {
          says: '`AgentRuntime` manages the whole loop',
          code: 'machines/forms/ask/ask.ts#askMachine',
          test: 'machines/forms/ask/ask.test.ts#the reply of the model is the answer',
        },
        '3.2.2': {
          says: 'It is made of a planner, a tool registry, guardrails and a fallback strategy',
          code: 'machines/forms/ask/ask-requests.ts#askLoopInput',
          test: 'actors/ask.test.ts#an answer comes with its steps',
          instead: 'of charts; models and tools are passed to `createRuntime`',
        },
        '3.2.3': {
          says: '`run(query)`',
          code: 'actors/runtime-api.ts#ask',
          test: 'actors/ask.test.ts#an answer comes with its steps',
        },
        '3.2.4': {
          says: '`answer`, `steps`, `tool_calls`',
          code: 'machines/domain/result.ts#toolCalls',
          test: 'cli/ask.test.ts#output as JSON has the result with its steps',
        },
        '3.2.5': {
          says: '`stopped_reason`: `completed`',
          code: 'machines/domain/result.ts#StoppedReason',
          test: 'machines/forms/ask/ask.test.ts#the reply of the model is the answer',
        },
        '3.2.6': {
          says: '`stopped_reason`: `max_steps_reached`',
          code: 'machines/forms/ask/outcome.ts#max_steps_reached',
          test: 'machines/forms/ask/ask.test.ts#when the steps are used up, the model answers',
        },
      },
    },
    {
      title: 'AgentState and AgentStep',
      rows: {
        '3.3.1': {
          says: '`max_history` of 50 limits the conversation',
          code: 'machines/loop/context-window.ts#bound',
          test: 'actors/ask.test.ts#limits the conversation has at most max_history messages',
        },
        '3.3.2': {
          says: '`add_message`, `get_messages`',
          code: 'machines/prompts/transcript.ts#appendMessages',
          test: 'machines/loop/turn-loop.test.ts#the result of a call is read by the model',
        },
        '3.3.3': {
          says: '`add_step`, `get_steps`',
          code: 'machines/loop/turn.ts#stepsOf',
          test: 'machines/loop/turn-loop.test.ts#the steps of a turn are in the record',
        },
        '3.3.4': {
          says: '`clear`',
          code: 'cli/chat/done.ts#beginAnew',
          test: 'cli/chat/done.test.ts#on a pseudo-terminal /new begins',
          instead:
            'each question has a state of its own; `/new` and `--fresh` leave the history out',
        },
        '3.3.5': {
          says: '`AgentStep`: `thought`, `action`, `action_input`, `observation`',
          code: 'machines/domain/result.ts#AgentStep',
          test: 'actors/ask.test.ts#an answer comes with its steps',
          instead: '`action_input` is called `input`',
        },
      },
    },
    {
      title: 'ReActPlanner and PlanResult',
      rows: {
        '3.4.1': {
          says: 'The planner has a provider and a model',
          code: 'actors/model/router.ts#createRouter',
          test: 'actors/model/router.test.ts#%s is resolved to',
          instead: '`ask.model` is `PROVIDER/MODEL`',
        },
        '3.4.2': {
          says: '`plan` passes the question, the state and the available tools',
          code: 'machines/loop/turn-requests.ts#modelRequest',
          test: 'machines/forms/ask/ask.test.ts#high-risk tools are not offered',
        },
        '3.4.3': {
          says: '`thought`',
          code: 'machines/domain/tool.ts#LoopStep',
          test: 'machines/loop/turn-loop.test.ts#the result of a call is read by the model',
        },
        '3.4.4': {
          says: '`action` and `action_input`, or neither for a final answer',
          code: 'machines/domain/model.ts#ModelReply',
          test: 'machines/loop/turn-loop.test.ts#a reply without a call is the answer',
          instead: 'a reply may have several calls',
        },
        '3.4.5': {
          says: '`final_answer`',
          code: 'machines/loop/loop-input.ts#answer',
          test: 'machines/loop/turn-loop.test.ts#a reply without a call is the answer',
        },
      },
    },
    {
      title: 'Guardrails',
      rows: {
        '3.5.1': {
          says: '`allow`, `warn`, `block`',
          code: 'machines/domain/guardrail.ts#GuardrailAction',
          test: 'machines/forms/ask/ask.test.ts#guardrails that only warn',
        },
        '3.5.2': {
          says: '`max_input_tokens`',
          code: 'machines/domain/guardrail.ts#maxInputTokens',
          test: 'actors/ask-guardrails.test.ts#the question that is too long',
        },
        '3.5.3': {
          says: '`max_output_tokens`',
          code: 'machines/domain/guardrail.ts#maxOutputTokens',
          test: 'actors/ask-guardrails.test.ts#the answer has a token limit',
        },
        '3.5.4': {
          says: '`blocked_patterns` are regular expressions',
          code: 'tools/guardrails.ts#blockedPattern',
          test: 'tools/guardrails.test.ts#patterns %j is refused',
          instead: 'of RE2, so that none runs away',
        },
        '3.5.5': {
          says: '`check_input`: token limit and blocked patterns',
          code: 'tools/guardrails.ts#checkText',
          test: 'actors/ask-guardrails.test.ts#the question %j is blocked',
        },
        '3.5.6': {
          says: '`check_output`: token limit and blocked patterns',
          code: 'machines/forms/ask/ask.ts#checkingOutput',
          test: 'actors/ask-guardrails.test.ts#the answer that',
        },
        '3.5.7': {
          says: 'Tokens are estimated from the number of characters',
          code: 'machines/domain/tokens.ts#estimateTokens',
          test: 'tools/guardrails.test.ts#tokens %s has this number',
          instead: 'by script',
        },
        '3.5.8': {
          says: '`GuardrailResult`: `action`, `reason`, `details`',
          code: 'machines/domain/guardrail.ts#GuardrailResult',
          test: 'actors/ask-guardrails.test.ts#the question that is too long',
        },
      },
    },
    {
      title: 'FallbackStrategy and errors',
      rows: {
        '3.6.1': {
          says: 'An error or an exception of a tool is retried, at most `max_retries` (2) times',
          code: 'machines/loop/call-state.ts#mayRetry',
          test: 'machines/loop/tool-call.test.ts#a passing fault is tried again',
          instead: 'not refused arguments, nor calls that must not be repeated',
        },
        '3.6.2': {
          says: 'When all tries fail, the result is `degraded`',
          code: 'machines/loop/turn-loop.ts#degraded',
          test: 'machines/loop/turn-loop.test.ts#it ends at a tool that fails for good',
        },
        '3.6.3': {
          says: 'Then the model answers directly',
          code: 'machines/forms/ask/ask.ts#answeringDirectly',
          test: 'actors/ask.test.ts#a tool that fails every time',
        },
        '3.6.4': {
          says: '`stopped_reason` is `tool_failure_degraded`',
          code: 'machines/forms/ask/ask.ts#tool_failure_degraded',
          test: 'machines/forms/ask/ask.test.ts#when a tool fails for good',
        },
      },
    },
    {
      title: 'Tools',
      rows: {
        '3.7.1': {
          says: '`Tool`: `name`, `description`, `execute`',
          code: 'tools/tool.ts#ToolDefinition',
          test: 'tools/toolbox.test.ts#arguments models receive every parameter',
          instead: '`run`, with arguments of a schema',
        },
        '3.7.2': {
          says: '`ToolResult`: `output`, `error`, `is_error`',
          code: 'machines/domain/tool.ts#ToolOutcome',
          test: 'tools/toolbox.test.ts#running a tool that throws',
          instead: 'a `kind`: succeeded, failed, refused, in doubt, cancelled',
        },
        '3.7.3': {
          says: '`register`: a duplicate is `DuplicateToolError`',
          code: 'tools/toolbox.ts#createToolbox',
          test: 'tools/toolbox.test.ts#a name registered twice',
          instead: 'a configuration error',
        },
        '3.7.4': {
          says: '`get`: an unknown name is `ToolNotFoundError`',
          code: 'machines/domain/tool.ts#unknownTool',
          test: 'tools/toolbox.test.ts#arguments an unknown tool is refused',
          instead: 'a refusal that the model reads',
        },
        '3.7.5': {
          says: '`has`; `list_tools` sorted by name',
          code: 'tools/toolbox.ts#list',
          test: 'tools/toolbox.test.ts#tools are listed in the order of their names',
          instead: '`find`, `list`',
        },
        '3.7.6': {
          says: '`calculator`: `+ - * / // % **`, safely evaluated',
          code: 'tools/calculator/calculate.ts#calculate',
          test: 'tools/calculator/calculator.test.ts#results as in Python',
        },
        '3.7.7': {
          says: '`calculator` refuses function calls and attributes',
          code: 'tools/calculator/parse.ts#parse',
          test: 'tools/calculator/calculator.test.ts#problems %s is not an expression',
        },
        '3.7.8': {
          says: '`search` finds passages of documents, and cites the source of each',
          code: 'tools/search/search.ts#createSearch',
          test: 'tools/search/documents.test.ts#an answer cites path',
          instead: 'it ranks by words, without embeddings',
        },
        '3.7.9': {
          says: '`database`: only SELECT',
          code: 'tools/database/statement.ts#judgeStatement',
          test: 'tools/database/statement.test.ts#no statement on a confined connection',
        },
        '3.7.10': {
          says: '`database` refuses writing words, several statements, comments',
          code: 'tools/database/statement.ts#judgeStatement',
          test: 'tools/database/refusals.test.ts#statements refused by their text',
        },
        '3.7.11': {
          says: '`database` returns JSON, at most 100 rows',
          code: 'tools/database/rows.ts#rowsToJson',
          test: 'tools/database/database.test.ts#bounds no more rows than allowed',
        },
      },
    },
    {
      title: 'Defaults',
      rows: {
        '3.8.1': {
          says: '`max_steps` 10, `max_retries` 2',
          code: 'actors/config/sections/conversations.ts#max_steps',
          test: 'machines/default-settings.test.ts#by default a question has at most ten steps',
        },
        '3.8.2': {
          says: '`max_input_tokens` and `max_output_tokens` 4096',
          code: 'actors/config/sections/bounds.ts#max_input_tokens',
          test: 'actors/config/defaults.test.ts#by default questions and answers',
        },
        '3.8.3': {
          says: '`search.top_k` 5, `database.max_rows` 100',
          code: 'actors/config/sections/bounds.ts#top_k',
          test: 'actors/config/defaults.test.ts#by default a search returns',
        },
      },
    },
  ],
};
