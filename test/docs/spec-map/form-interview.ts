/** Form interview: four agents fill a form in a conversation with a person. */

import type {SpecDocument} from './row.ts';

export const formInterview: SpecDocument = {
  subject: 'Form interview',
  sections: [
    {
      title: 'Agents and their tools',
      rows: {
        '4.1.1': {
          says: 'Greeter: `ask`, `set_language`, `set_country`, `set_timezone`',
          code: 'machines/forms/interview/agents/agent-tools.ts#greeterTools',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview greeter, architect',
        },
        '4.1.2': {
          says: 'Architect: `create_plan`',
          code: 'machines/questions/questions.ts#order_fields',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview greeter, architect',
        },
        '4.1.3': {
          says: 'Interviewer: `subtask(reviewer)`, `ask`',
          code: 'machines/forms/interview/agents/agent-tools.ts#interviewerTools',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview greeter, architect',
          instead: 'also `route`, for a reply that is no answer',
        },
        '4.1.4': {
          says: 'Reviewer: `review`',
          code: 'machines/questionnaire/answer-review.ts#answerReviewSchema',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview greeter, architect',
        },
      },
    },
    {
      title: 'Flow',
      rows: {
        '4.2.1': {
          says: 'Greeter → Architect → Interviewer → confirmation screen',
          code: 'machines/forms/interview/interview.ts#designing',
          test: 'machines/forms/interview/interview.test.ts#an interview leads from the first question',
        },
        '4.2.2': {
          says: 'The system gives the current field to the interviewer',
          code: 'machines/forms/interview/prompts.ts#interviewerMessage',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview greeter, architect',
        },
        '4.2.3': {
          says: 'Every answer goes from `ask` to the reviewer',
          code: 'machines/forms/interview/field/field.ts#reviewing',
          test: 'machines/forms/interview/field/field.test.ts#a field is asked, reviewed and done',
        },
        '4.2.4': {
          says: '`passed: true` → the next field',
          code: 'machines/forms/interview/field/field-endings.ts#passed',
          test: 'machines/forms/interview/field/field.test.ts#a field is asked, reviewed and done',
        },
        '4.2.5': {
          says: '`passed: false` with missing facts → a natural follow-up question, reviewed in the same way',
          code: 'machines/forms/interview/field/field-endings.ts#failed',
          test: 'machines/forms/interview/field/field.test.ts#a model asks, hands the answer over',
          instead: 'at most `max_follow_ups` of them about one field',
        },
      },
    },
    {
      title: 'Greeter',
      rows: {
        '4.3.1': {
          says: 'It greets, and finds out the language and the country',
          code: 'machines/forms/interview/agents/greeter.ts#greeterMachine',
          test: 'machines/forms/interview/agents/greeter.test.ts#a model greets',
        },
        '4.3.2': {
          says: '`set_timezone` infers the time zone from the country',
          code: 'machines/forms/interview/agents/greeter.ts#inferring',
          test: 'machines/forms/interview/agents/greeter.test.ts#by rule, each section is asked, except',
        },
        '4.3.3': {
          says: 'If that fails, it is `Asia/Tokyo`',
          code: 'machines/forms/interview/agents/greeter-state.ts#assumedNow',
          test: 'machines/forms/interview/agents/greeter.test.ts#a section that is not understood twice',
          instead: 'the person is asked first, and the value is marked as assumed',
        },
        '4.3.4': {
          says: 'Then it hands over to the architect',
          code: 'machines/forms/interview/agents/handover.ts#Handover',
          test: 'machines/forms/interview/interview.test.ts#an interview leads from the first question',
        },
        '4.3.5': {
          says: '`getSection` derives the section from the state: `language`, `country`, `timezone`, `completed`',
          code: 'machines/forms/interview/agents/greeter-state.ts#sectionNow',
          test: 'machines/forms/interview/agents/greeter.test.ts#known sections are not asked',
        },
      },
    },
    {
      title: 'Architect',
      rows: {
        '4.4.1': {
          says: 'It reads the fields of the form, and orders them',
          code: 'machines/forms/interview/prompts.ts#architectMessage',
          test: 'machines/forms/interview/agents/architect.test.ts#a model sets the order',
        },
        '4.4.2': {
          says: '`PlanSchema`: `field_id`, `label`, `intent`, `required`, parsed with Zod',
          code: 'machines/questionnaire/field-order.ts#field_id',
          test: 'machines/forms/interview/agents/architect.test.ts#when %s, the model receives',
        },
        '4.4.3': {
          says: 'Then it hands over to the interviewer',
          code: 'machines/forms/interview/agents/architect.ts#ordered',
          test: 'machines/forms/interview/interview.test.ts#an interview leads from the first question',
        },
      },
    },
    {
      title: 'Interviewer',
      rows: {
        '4.5.1': {
          says: 'It asks about the current field with `ask`',
          code: 'machines/forms/interview/field/field.ts#interviewing',
          test: 'machines/forms/interview/field/field.test.ts#a model asks, hands the answer over',
        },
        '4.5.2': {
          says: 'After an answer, `subtask(reviewer)` starts the reviewer',
          code: 'machines/forms/interview/agents/agent-loop.ts#isHandingOver',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#an answer is handed to the reviewer',
        },
        '4.5.3': {
          says: 'When all fields are done, it leads to the confirmation screen',
          code: 'machines/forms/interview/confirmation.ts#confirmationMachine',
          test: 'machines/forms/interview/confirmation.test.ts#the table lists every applicable answer',
        },
        '4.5.4': {
          says: 'Missing facts lead to deeper questions without formal steps',
          code: 'machines/forms/interview/prompts.ts#reviewText',
          test: 'machines/forms/interview/field/field.test.ts#a model asks, hands the answer over',
        },
      },
    },
    {
      title: 'Reviewer',
      rows: {
        '4.6.1': {
          says: 'It compares the answers with the definition of the field',
          code: 'machines/forms/interview/prompts.ts#reviewerMessage',
          test: 'machines/forms/interview/field/field-reviewer.test.ts#a model judges with the field',
        },
        '4.6.2': {
          says: 'It checks the criteria and the done condition of the facts',
          code: 'tools/interview/criteria.ts#criterionOf',
          test: 'tools/interview/facts.test.ts#criteria an answer suffices',
          instead: 'by rule where the criterion is one; a model judges the others',
        },
        '4.6.3': {
          says: 'If something is missing, it returns feedback; otherwise it passes',
          code: 'machines/forms/interview/field/field-reviewer.ts#fieldReviewerMachine',
          test: 'machines/forms/interview/field/field-reviewer.test.ts#by rule, an answer with nothing wrong',
        },
        '4.6.4': {
          says: '`ReviewResultSchema`: `passed`, `feedback`, `missing_facts`, `extracted_facts`, `field_value`',
          code: 'machines/questionnaire/answer-review.ts#extracted_facts',
          test: 'machines/forms/interview/field/field-reviewer.test.ts#a pass with missing facts is refused',
          instead: 'a fact also has a key and a quote',
        },
        '4.6.5': {
          says: 'It receives a summary: the conversation, the field, the facts so far',
          code: 'machines/forms/interview/prompts.ts#reviewerMessage',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview a reviewer receives',
          instead: 'the last messages themselves',
        },
      },
    },
    {
      title: 'States of a field, and invariants',
      rows: {
        '4.7.1': {
          says: '`pending` → `interviewing` → `reviewing` → `done`; with feedback back to `interviewing`',
          code: 'machines/forms/interview/field/field.ts#pending',
          test: 'machines/every-state-interview.test.ts#an interview enters every state',
        },
        '4.7.2': {
          says: 'No field is left as done without the reviewer',
          code: 'machines/forms/interview/field/field.ts#takePass',
          test: 'machines/every-state-interview.test.ts#an interview $name obeys its laws',
          instead: 'a person may skip an optional field, and decline any',
        },
        '4.7.3': {
          says: 'Nothing is submitted while a required field is not done',
          code: 'machines/forms/interview/dialogue.ts#requiredOpen',
          test: 'machines/forms/interview/confirmation.test.ts#a form with an open required field',
        },
      },
    },
    {
      title: 'Layers',
      rows: {
        '4.8.1': {
          says: 'An API layer reads submissions, sessions and messages, and keeps results in repositories',
          code: 'actors/submissions/repository.ts#SubmissionRepository',
          test: 'cli/serve/submissions.test.ts#a form is filled, shown for confirmation',
        },
        '4.8.2': {
          says: '`OrchestratorV2` controls agents, transitions and subsessions',
          code: 'machines/forms/interview/interview.ts#interviewMachine',
          test: 'machines/every-state-interview.test.ts#an interview enters every state',
        },
        '4.8.3': {
          says: '`BaseAgent`: one loop for all agents',
          code: 'machines/forms/interview/agents/agent-loop.ts#agentLoopMachine',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#the loop ends when it asks',
          instead: 'architect and reviewer answer one structured question',
        },
        '4.8.4': {
          says: '`getNextAgent`: greeter → architect → interviewer; reviewer → interviewer',
          code: 'machines/forms/interview/interview.ts#interviewing',
          test: 'actors/interview-over-the-wire.test.ts#the whole interview greeter, architect',
          instead: 'transitions of the charts',
        },
      },
    },
    {
      title: 'Loop of an agent',
      rows: {
        '4.9.1': {
          says: 'It loops until `ask` is called, then waits for the person',
          code: 'machines/forms/interview/agents/agent-loop.ts#asked',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#the loop ends when it asks',
        },
        '4.9.2': {
          says: 'Results of tools go back to the model, errors too',
          code: 'machines/forms/interview/agents/agent-turn.ts#callAnswered',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#settings are read by rule',
        },
        '4.9.3': {
          says: 'A reply without a call: the remaining tasks follow, as “You still need to: …”',
          code: 'machines/forms/interview/agents/agent-turn.ts#reminded',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#a reply without a call',
        },
        '4.9.4': {
          says: '`getRemainingTasks` of each agent',
          code: 'machines/forms/interview/agents/agent-turn.ts#remaining',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#a reply without a call',
        },
        '4.9.5': {
          says: 'Without remaining tasks it ends',
          code: 'machines/forms/interview/agents/agent-loop.ts#finished',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#the loop ends when no task is left',
        },
        '4.9.6': {
          says: 'At most 10 loops by default',
          code: 'actors/config/sections/conversations.ts#max_loops',
          test: 'actors/config/defaults.test.ts#by default an agent of an interview',
        },
        '4.9.7': {
          says: 'The maximum is an error',
          code: 'machines/forms/interview/agents/agent-loop.ts#stuck',
          test: 'machines/forms/interview/agents/greeter.test.ts#rules take over from a model that is stuck',
          instead: 'rules take over, so that the person gets a question',
        },
        '4.9.8': {
          says: '`AgentLoopResult`: text, calls, whether it waits for the person, state',
          code: 'machines/forms/interview/agents/agent-loop.ts#AgentLoopOutput',
          test: 'machines/forms/interview/agents/agent-loop.test.ts#the loop ends when it asks',
        },
        '4.9.9': {
          says: '`AgentLoopResult`: `usage`',
          code: 'machines/facts/progress.ts#usage',
          test: 'actors/runs.test.ts#the events of a run have the usage',
          instead: 'an event of each model call',
        },
      },
    },
    {
      title: 'Logger',
      rows: {
        '4.10.1': {
          says: '`ILogger`: `debug`, `info`, `warn`, `error`',
          code: 'actors/logger.ts#Logger',
          test: 'actors/logger.test.ts#a logger receives the events of every run',
        },
        '4.10.2': {
          says: '`LogContext`: `agent`, `sessionId`, `tool`, and more',
          code: 'actors/logger.ts#LogContext',
          test: 'actors/logger.test.ts#a logger receives no sensitive value',
        },
        '4.10.3': {
          says: '`ConsoleLogger`: lines with time stamps',
          code: 'cli/log.ts#withLogger',
          test: 'cli/log.test.ts#a run is logged from its warnings',
          instead: '`--log FILE` writes JSON lines',
        },
        '4.10.4': {
          says: '`NoOpLogger` is the default',
          code: 'actors/logger.ts#silentLogger',
          test: 'actors/logger.test.ts#without a logger',
        },
      },
    },
    {
      title: 'State of a session, and the form',
      rows: {
        '4.11.1': {
          says: 'A KV store keeps the state of the session',
          code: 'actors/journal/journal.ts#Journal',
          test: 'actors/interview-recovery.test.ts#an interview led by %s continues after a crash',
          instead: 'the journal, from which the state is replayed',
        },
        '4.11.2': {
          says: '`sessionId`, `createdAt`, `updatedAt`',
          code: 'actors/journal/journal.ts#InteractionRow',
          test: 'cli/commands/reading.test.ts#sessions lists the runs, newest first',
          instead: '`id`, `openedAt`, `updatedAt`',
        },
        '4.11.3': {
          says: '`agentStack`, `subSessionResults`',
          code: 'machines/forms/interview/agents/handover.ts#Handover',
          test: 'machines/every-state-interview.test.ts#an interview enters every state',
          instead: 'the actors of the charts, and their outputs',
        },
        '4.11.4': {
          says: '`messages`',
          code: 'machines/questionnaire/answers.ts#Said',
          test: 'cli/serve/streams.test.ts#a stream sends earlier messages',
        },
        '4.11.5': {
          says: '`bootstrap`: `language`, `country`, `timezone`',
          code: 'machines/questionnaire/answers.ts#Respondent',
          test: 'machines/forms/interview/agents/greeter.test.ts#known sections are not asked',
        },
        '4.11.6': {
          says: '`form`, `plan`, `currentFieldIndex`',
          code: 'machines/forms/interview/dialogue.ts#Dialogue',
          test: 'machines/forms/interview/agents/interviewer.test.ts#fields are asked in their order',
          instead: '`questionnaire`, `order`; the current field is derived',
        },
        '4.11.7': {
          says: '`collectedFields`, `followUpCount`',
          code: 'machines/questionnaire/answers.ts#FieldRecord',
          test: 'machines/forms/interview/field/field.test.ts#a field is skipped after its maximum',
          instead: 'a record of each field',
        },
        '4.11.8': {
          says: '`SessionForm`, `FormField`, `FactDefinition`, with their keys',
          code: 'machines/questionnaire/questionnaire-reading.ts#readQuestionnaire',
          test: 'machines/questionnaire/questionnaire.test.ts#reads the rows of a session',
        },
        '4.11.9': {
          says: '`questioningHints` help to ask for a fact',
          code: 'machines/forms/interview/texts/parts.ts#hintOf',
          test: 'machines/forms/interview/texts.test.ts#hints for an interviewer',
        },
      },
    },
  ],
};
