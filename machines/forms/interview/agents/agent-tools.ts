/** The tools by which models lead an interview. What they do happens in its charts: none reaches the world. */

import {z} from 'zod';

import {someText} from '../../../questions/reading.ts';

const ask = z
  .lazy(() =>
    z.object({message: someText.describe('What the respondent reads, in their language')}),
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
  .lazy(() => z.object({agent: z.enum(['reviewer'])}))
  .describe('Have the reviewer judge what the respondent answered to the current field');

const route = z
  .lazy(() =>
    z.object({
      kind: z
        .enum(['skip', 'decline', 'pause', 'correct'])
        .describe(
          'skip: they want to leave the field out; decline: they refuse to answer it; pause: they want to stop for now; correct: an earlier answer is not right',
        ),
      quote: someText.describe('Word for word what the respondent said that means so'),
      field_id: z.string().nullish().describe('Of a correction: the field that is not right'),
      text: z.string().nullish().describe('Of a correction: the right answer, word for word'),
    }),
  )
  .describe('Tell that the reply of the respondent is no answer to the current field');

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
