/** Reads the answer to a question from a model's reply, and asks for a valid one. */

import {type ModelOutcome, textCall, textCallRepair} from '../domain/model.ts';
import {engineLine, listText} from '../prompts/section-text.ts';
import {writeSections} from '../prompts/sections.ts';
import {appendMessages, type Transcript} from '../prompts/transcript.ts';
import {type Answer, type AskedQuestion, questions, readArguments, toolOf} from './questions.ts';
import {type AnswerReading, refused} from './reading.ts';

/**
 * Reads exactly one complete call of the question's tool. Prose is never searched for an answer, and nothing is
 * repaired here.
 */
export function readAnswer(asked: AskedQuestion, outcome: ModelOutcome): AnswerReading<Answer> {
  if (outcome.kind !== 'ok') {
    return refused(outcome.code === textCall ? textCallRepair : outcome.message);
  }
  const tool = toolOf(asked.question);
  const [call, ...more] = outcome.calls;
  if (!call) return refused(`the reply called no tool; it must call ${tool}`);
  if (more.length > 0) {
    return refused(`the reply held ${more.length + 1} calls; it must call ${tool} exactly once`);
  }
  if (call.name !== tool) {
    return refused(`the reply called ${call.name}; it must call ${tool} exactly once`);
  }
  return call.problem === undefined ? readArguments(asked, call.args) : refused(call.problem);
}

/** True when the model replied, even if not as asked: a further request can then name the problems. */
export function isRepairable({kind}: ModelOutcome): boolean {
  return kind === 'ok' || kind === 'protocol' || kind === 'truncated';
}

/** Extends the conversation after an invalid answer by the problems and the instruction. `said` is the text of the reply. */
export function askForRepair(
  transcript: Transcript,
  {question}: Pick<AskedQuestion, 'question'>,
  said: string,
  problems: readonly string[],
): Transcript {
  const {noun, repair} = questions[question];
  const text = said.trim() === '' ? `(no valid ${noun})` : said;
  return appendMessages(
    transcript,
    {role: 'assistant', text, calls: []},
    {
      role: 'user',
      text: writeSections([
        ['Problems', listText(problems.map((problem) => engineLine`${problem}`))],
        ['What to do', engineLine`${repair}`],
      ]),
    },
  );
}
