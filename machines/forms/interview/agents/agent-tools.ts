/** The tools with which models lead an interview. Its charts execute them: none has an effect outside the interview. */

import {z} from 'zod';

import {someText} from '../../../questions/reading.ts';

const ask = z
  .lazy(() =>
    z.object({message: someText.describe('The message to the respondent, in their language')}),
  )
  .describe('Say something to the respondent, and wait for their reply. Ask one thing at a time.');

const setLanguage = z
  .lazy(() =>
    z.object({language: someText.describe('A BCP 47 code, such as en or ja, or its name')}),
  )
  .describe('Set the language that the respondent wants to speak');

const setCountry = z
  .lazy(() => z.object({country: someText.describe('An ISO 3166-1 code, such as JP, or its name')}))
  .describe('Set the country that the respondent lives in');

const setTimezone = z
  .lazy(() =>
    z.object({
      timezone: z
        .string()
        .nullish()
        .describe('An IANA name, such as Asia/Tokyo; left out, it is inferred from the country'),
    }),
  )
  .describe('Set the time zone of the respondent');

const subtask = z
  .lazy(() => z.object({agent: z.enum(['reviewer']).describe('The agent to ask')}))
  .describe('Have the reviewer judge the answer of the respondent to the current field');

const route = z
  .lazy(() =>
    z.object({
      kind: z
        .enum(['skip', 'decline', 'pause', 'correct'])
        .describe(
          'skip: they want to leave the field out; decline: they refuse to answer it; pause: they want to stop for now; correct: an earlier answer is wrong',
        ),
      quote: someText.describe('The words of the respondent that say so, verbatim'),
      field_id: z.string().nullish().describe('For a correction: the id of the field to correct'),
      text: z.string().nullish().describe('For a correction: the right answer, verbatim'),
    }),
  )
  .describe('Report that the reply of the respondent does not answer the current field');

export const greeterTools = {
  ask,
  set_language: setLanguage,
  set_country: setCountry,
  set_timezone: setTimezone,
} as const;

export const interviewerTools = {ask, subtask, route} as const;

/** All of them, by name. */
export const agentTools: Readonly<Record<string, z.ZodType>> = {
  ...greeterTools,
  ...interviewerTools,
};
