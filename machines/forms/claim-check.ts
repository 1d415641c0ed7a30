/**
 * Checks the claims of an answer against the record. The model corrects a contradicted answer once. If the correction is
 * contradicted too, or there is none, a rule removes the sentences with claims.
 *
 * started → passed; checking → (correcting → rechecking) → passed; cut
 */

import {assign, setup} from 'xstate';

import {when} from '../actor-end.ts';
import {hasClaims, withoutClaims} from '../claims/claims.ts';
import {hashOf} from '../domain/digest.ts';
import type {Evidence} from '../domain/evidence.ts';
import {isJapanese} from '../domain/language.ts';
import type {ModelOutcome, ModelRequest} from '../domain/model.ts';
import {modelCallMachine} from '../model-call.ts';
import {type PortOutcome, type PortRequest, screenProposal} from '../ports.ts';
import {
  engineLine,
  jsonText,
  listText,
  personWords,
  quotedText,
  quotingRule,
} from '../prompts/section-text.ts';
import {writeSections} from '../prompts/sections.ts';
import {openTranscript} from '../prompts/transcript.ts';
import {rejectionReasons} from '../questions/ballot.ts';

export interface ClaimCheckInput {
  readonly purpose: 'ask' | 'discuss';
  readonly question: string;
  readonly answer: string;
  readonly workspace: string;
  readonly evidence: readonly Evidence[];
  /** Texts that the answer may draw on. */
  readonly sources: readonly string[];
  /** `provider/model`. */
  readonly model: string;
  readonly maxOutputTokens: number;
}

/** `isCut`: a rule removed sentences. A check never fails. */
export interface ClaimCheckOutput {
  readonly answer: string;
  readonly isCut: boolean;
}

interface ClaimCheckContext extends ClaimCheckInput {
  readonly problems: readonly string[];
}

export const claimCheckMachine = setup({
  types: {} as {context: ClaimCheckContext; input: ClaimCheckInput; output: ClaimCheckOutput},
  actors: {screenProposal, modelCall: modelCallMachine},
  actions: {
    takeProblems: assign((_, {ballots}: PortOutcome<'screenProposal'>) => ({
      problems: rejectionReasons(ballots),
    })),
    takeCorrection: assign((_, outcome: ModelOutcome) => ({answer: replyText(outcome)})),
  },
  guards: {
    isClaimed: ({context}) => hasClaims(context.answer, 'author'),
    isContradicted: (_, {ballots}: PortOutcome<'screenProposal'>) =>
      rejectionReasons(ballots).length > 0,
    isCorrected: (_, outcome: ModelOutcome) => replyText(outcome) !== '',
  },
}).createMachine({
  id: 'claim-check',
  context: ({input}) => ({...input, problems: []}),
  initial: 'started',
  states: {
    started: {
      tags: 'choice',
      always: [{guard: 'isClaimed', target: 'checking'}, {target: 'passed'}],
    },
    checking: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => checkOf(context),
        onDone: [when('isContradicted', 'correcting', 'takeProblems'), {target: 'passed'}],
        onError: 'cut',
      },
    },
    correcting: {
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => correctionOf(context),
        onDone: [when('isCorrected', 'rechecking', 'takeCorrection'), {target: 'cut'}],
        onError: 'cut',
      },
    },
    rechecking: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => checkOf(context),
        onDone: [when('isContradicted', 'cut'), {target: 'passed'}],
        onError: 'cut',
      },
    },
    passed: {type: 'final', output: ({context: {answer}}) => ({answer, isCut: false})},
    cut: {type: 'final', output: ({context}) => ({answer: cutAnswer(context), isCut: true})},
  },
  output: ({event}) => event.output as ClaimCheckOutput,
});

function checkOf(context: ClaimCheckContext): PortRequest<'screenProposal'> {
  const {question, answer, workspace, evidence, sources} = context;
  return {
    policies: ['evidence'],
    proposal: {
      kind: 'result',
      title: question,
      hash: hashOf({answer, evidence}),
      text: answer,
      facts: {request: question, workspace, evidence, calls: [], claims: [answer], sources},
    },
  };
}

/** `isWithheld`: the correction is not streamed before it is checked. */
function correctionOf({purpose, model, maxOutputTokens, ...rest}: ClaimCheckContext): ModelRequest {
  return {
    purpose,
    model,
    system: correctionSystem,
    transcript: openTranscript(correctionMessage(rest)),
    tools: [],
    toolChoice: 'none',
    maxOutputTokens,
    isWithheld: true,
  };
}

function replyText(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function cutAnswer({question, answer}: ClaimCheckContext): string {
  const rest = withoutClaims(answer, 'author');
  if (rest !== '') return rest;
  return isJapanese(question)
    ? '記録と矛盾する主張だけの回答だったため、削除しました。何も実行していません。'
    : 'The answer was removed: the record contradicts all of it. Nothing was done.';
}

// The prompt of the model that corrects its contradicted answer.

const correctionSystem = `You correct an answer to a question. The record of the calls contradicts some of its claims. Reply with the whole \
answer, in its language and as plain text, without these claims. If nothing was written, run or tested, say so. \
Add nothing else.
${quotingRule}`;

export interface CorrectionBrief {
  readonly question: string;
  readonly answer: string;
  /** The reasons of the `evidence` policy. */
  readonly problems: readonly string[];
}

export function correctionMessage({question, answer, problems}: CorrectionBrief): string {
  return writeSections([
    ['Question', personWords(question)],
    ['Answer', quotedText(answer)],
    ['Problems', listText(problems.map((problem) => engineLine`${jsonText(problem)}`))],
  ]);
}
