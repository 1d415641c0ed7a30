/** Interaction model: equal forms of interaction, nested in a tree, and the context that they pass on. */

import type {SpecDocument} from './row.ts';

export const interactionModel: SpecDocument = {
  subject: 'Interaction model',
  sections: [
    {
      title: 'InteractionForm',
      rows: {
        '5.1.1': {
          says: 'Every dialogue is an Interaction of one form; the forms are equal peers',
          code: 'machines/tree/interaction.ts#interactionMachine',
          test: 'machines/tree/interaction.test.ts#the form is chosen by its name',
        },
        '5.1.2': {
          says: '`Agent`, `Ask`, `Discuss`',
          code: 'machines/domain/interaction-form.ts#InteractionForm',
          test: 'machines/domain/interaction-form.test.ts#the form of an interaction is parsed',
          instead: 'also interview, review, command',
        },
        '5.1.3': {
          says: 'Agent: plans, uses tools, is reviewed; has all tools, by risk',
          code: 'machines/forms/agent/agent.ts#agentMachine',
          test: 'machines/forms/agent/execution/task.test.ts#a model works on a task without a tool',
        },
        '5.1.4': {
          says: 'Ask: one question, one answer; has tools that only read',
          code: 'machines/forms/ask/ask-requests.ts#askLoopInput',
          test: 'actors/ask.test.ts#read-only by construction',
          instead: 'and tools that spawn, which are voted on',
        },
        '5.1.5': {
          says: 'Discuss: several models; has no tools',
          code: 'machines/forms/discuss/discuss.ts#discussMachine',
          test: 'machines/forms/discuss/discuss.test.ts#participants answer in parallel, without tools',
        },
        '5.1.6': {
          says: '`uses_session_mode`: all forms; Ask only the choice of its model',
          code: 'machines/domain/interaction-form.ts#usesSessionMode',
          test: 'machines/domain/interaction-form.test.ts#the form of an interaction %s: session mode',
        },
        '5.1.7': {
          says: '`uses_agent_policy`: only Agent',
          code: 'machines/domain/interaction-form.ts#usesAgentPolicy',
          test: 'machines/domain/interaction-form.test.ts#the form of an interaction %s: session mode',
        },
        '5.1.8': {
          says: '`uses_execution_params`: Agent and Ask',
          code: 'machines/domain/interaction-form.ts#usesExecutionParams',
          test: 'machines/domain/interaction-form.test.ts#the form of an interaction %s: session mode',
        },
        '5.1.9': {
          says: '`max_tool_turns` limits an Ask',
          code: 'actors/config/sections/conversations.ts#max_steps',
          test: 'machines/loop/turn-loop.test.ts#it ends after its last turn',
          instead: '`ask.max_steps`; `max_tool_turns` is the limit of a task',
        },
        '5.1.10': {
          says: 'A form is parsed from its name; `council` is Discuss',
          code: 'machines/domain/interaction-form.ts#parseInteractionForm',
          test: 'machines/domain/interaction-form.test.ts#the form of an interaction is parsed',
        },
      },
    },
    {
      title: 'ContextMode',
      rows: {
        '5.2.1': {
          says: '`Full` passes all context',
          code: 'machines/prompts/inherited.ts#inheritedFor',
          test: 'machines/prompts/inherited.test.ts#by mode full mode',
        },
        '5.2.2': {
          says: '`Projected` passes a summary',
          code: 'machines/prompts/inherited.ts#inheritedFor',
          test: 'machines/prompts/inherited.test.ts#by mode projected mode',
        },
        '5.2.3': {
          says: '`Fresh` passes nothing',
          code: 'machines/prompts/inherited.ts#inheritedFor',
          test: 'machines/prompts/inherited.test.ts#by mode fresh mode',
        },
        '5.2.4': {
          says: 'The modes mean the same for tasks of a plan',
          code: 'machines/domain/plan.ts#context_mode',
          test: 'actors/prompts-of-agent.test.ts#a worker reads the context that the context mode',
        },
        '5.2.5': {
          says: '… and for interactions',
          code: 'machines/tree/children.ts#contextMode',
          test: 'actors/context-modes.test.ts#below %s %s with %s context',
        },
        '5.2.6': {
          says: 'Defaults: Agent `Full`, Ask `Projected`, Discuss `Full`',
          code: 'machines/domain/interaction-form.ts#defaultContextMode',
          test: 'actors/context-modes.test.ts#below %s %s receives its default context',
        },
        '5.2.7': {
          says: '`with_context_mode` overrides the default',
          code: 'machines/tree/form-event.ts#contextMode',
          test: 'cli/chat/parse.test.ts#%j is understood',
          instead: '`/ask --full`; an argument of `interaction.spawn`',
        },
      },
    },
    {
      title: 'Interaction',
      rows: {
        '5.3.1': {
          says: '`id`, `form`, `context_mode`, `parent`, `depth`',
          code: 'machines/tree/interaction-tree.ts#InteractionNode',
          test: 'machines/tree/interaction-tree.test.ts#the records of spawned interactions',
        },
        '5.3.2': {
          says: '`root`: depth 0, no parent',
          code: 'machines/tree/interaction-tree.ts#interactionsIn',
          test: 'machines/tree/interaction-tree.test.ts#the records of spawned interactions',
        },
        '5.3.3': {
          says: '`child`: one deeper than its parent',
          code: 'machines/tree/children.ts#childInput',
          test: 'machines/tree/interaction.test.ts#a child runs beside the form, one level deeper',
        },
      },
    },
    {
      title: 'InteractionTree',
      rows: {
        '5.4.1': {
          says: 'Interactions nest: any form below any form',
          code: 'machines/tree/tree.ts#treeMachine',
          test: 'actors/nesting.test.ts#below %s, %s, %s and %s are nested',
        },
        '5.4.2': {
          says: 'IDs are numbered automatically',
          code: 'machines/tree/children.ts#childId',
          test: 'machines/tree/interaction.test.ts#a child runs beside the form, one level deeper',
          instead: '`PARENT.N`',
        },
        '5.4.3': {
          says: '`create_root`',
          code: 'actors/runtime-api.ts#start',
          test: 'machines/tree/tree.test.ts#any number of interactions run in parallel',
        },
        '5.4.4': {
          says: '`spawn_child`, `spawn_child_with_context`',
          code: 'machines/tree/form-event.ts#InteractionSpawn',
          test: 'machines/tree/rules.test.ts#several rules fire at once',
        },
        '5.4.5': {
          says: '`get`, `parent_of`, `children_of`',
          code: 'machines/tree/interaction-tree.ts#childrenOf',
          test: 'machines/tree/interaction-tree.test.ts#the records of spawned interactions',
        },
        '5.4.6': {
          says: '`DEFAULT_MAX_NESTING_DEPTH` is 3: four levels',
          code: 'machines/tree/interaction-tree.ts#maxDepth',
          test: 'machines/tree/tree.test.ts#any number of interactions run in parallel, down to depth 3',
        },
        '5.4.7': {
          says: '`can_spawn` is false at depth 3',
          code: 'machines/tree/interaction-tree.ts#spawnFault',
          test: 'machines/tree/interaction-tree.test.ts#below %s, %s: %s',
        },
        '5.4.8': {
          says: 'Beyond it: `SpawnError::MaxDepthExceeded`',
          code: 'machines/tree/form-event.ts#maxDepthExceeded',
          test: 'machines/tree/tree.test.ts#below depth 3 nothing is spawned',
        },
      },
    },
    {
      title: 'InteractionResult',
      rows: {
        '5.5.1': {
          says: 'The result of a child goes back into the context of its parent',
          code: 'machines/tree/messages.ts#messagesFor',
          test: 'machines/tree/tree.test.ts#the result of a child is reported while its parent continues',
        },
        '5.5.2': {
          says: '`AskResult`, `DiscussResult`, `AgentResult`, with their members',
          code: 'machines/domain/interaction-result.ts#InteractionResult',
          test: 'machines/domain/interaction-result.test.ts#a parent interaction receives results',
        },
        '5.5.3': {
          says: '`to_context_injection`: `[Discuss Result (3 models)]: …`, `[Agent Result (completed)]: …`',
          code: 'machines/domain/interaction-result.ts#toContextInjection',
          test: 'machines/domain/interaction-result.test.ts#a parent interaction receives results',
        },
      },
    },
    {
      title: 'Terminal interface',
      rows: {
        '5.6.1': {
          says: 'Tabs and panes show interactions (`PaneKind::Interaction`)',
          code: 'cli/chat/roots.ts#createRoots',
          test: 'cli/chat/commands.test.ts#on a pseudo-terminal interactions below a task',
          instead: 'one scrolling conversation, with a number for each interaction',
        },
        '5.6.2': {
          says: 'A tab exists before its interaction (`bind_interaction_id`)',
          no: 'there are no empty tabs: a number is given to an interaction when it begins',
        },
        '5.6.3': {
          says: '`:tabnew ask`, `:tabnew discuss`, `:tabnew agent`',
          code: 'cli/chat/commands/begin.ts#beginCommands',
          test: 'cli/chat/commands.test.ts#on a pseudo-terminal interactions below a task',
          instead: '`/ask`, `/discuss`, `/agent`, `/interview`',
        },
        '5.6.4': {
          says: '`gt`, `gT`, and the keys `a` and `d`, change the tab',
          code: 'cli/chat/talk.ts#focusOn',
          test: 'cli/chat/commands.test.ts#on a pseudo-terminal interactions below a task',
          instead: '`/focus N`',
        },
        '5.6.5': {
          says: '`:tabclose`',
          code: 'cli/chat/talk.ts#cancel',
          test: 'cli/chat/commands.test.ts#on a pseudo-terminal interactions below a task',
          instead: '`/cancel N`',
        },
        '5.6.6': {
          says: '`:tabs`',
          code: 'cli/render/tables/tree.ts#treeLines',
          test: 'cli/render/tables/tree.test.ts#the tree shows the state and the cost',
          instead: '`/tree`',
        },
      },
    },
    {
      title: 'Spawning',
      rows: {
        '5.7.1': {
          says: 'Phase A: a person starts a child',
          code: 'cli/chat/talk.ts#begin',
          test: 'cli/chat/terminal.test.ts#on a pseudo-terminal a question below a running task',
        },
        '5.7.2': {
          says: 'Phase B (planned): a model starts one, with `spawn_ask`, `spawn_discuss`, `spawn_agent`',
          code: 'tools/spawn/spawn.ts#spawnTools',
          test: 'actors/spawning.test.ts#a question spawns an agent',
          instead: 'also `spawn_interview`',
        },
        '5.7.3': {
          says: 'These tools are of high risk, and reviewed',
          code: 'tools/spawn/spawn.ts#high',
          test: 'actors/spawning.test.ts#reviewers read the request of a spawn',
        },
        '5.7.4': {
          says: 'They use the same registration, review and loop as other tools',
          code: 'machines/loop/tool-call.ts#isSpawn',
          test: 'machines/loop/spawn.test.ts#the child reads its request',
        },
        '5.7.5': {
          says: 'Phase C (an idea): rules of `AgentPolicy` start one on a condition',
          code: 'machines/tree/rules.ts#spawnsBy',
          test: 'actors/rules.test.ts#over the wire two rejected plans spawn one discussion',
          instead: '`[[spawn]]` in the configuration',
        },
      },
    },
  ],
};
