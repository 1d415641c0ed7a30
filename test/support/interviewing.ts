/** Interviews whose models, over the wire, and whose person are scripted by a test. */

import type {ConfigInput} from '../../actors/index.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {OpenAsk, Respondent} from '../../machines/questionnaire/answers.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {call} from './agent-models.ts';
import type {ReceivedRequest, Said} from './mock-openai.ts';
import {setWireStage} from './stage.ts';

/** The replies of the model in each role. */
export interface Cast {
  readonly greeter: (received: ReceivedRequest) => Said;
  readonly architect: (received: ReceivedRequest) => Said;
  readonly interviewer: (received: ReceivedRequest) => Said;
  readonly reviewer: (received: ReceivedRequest) => Said;
}

/** The person's reply to a message; undefined: they leave. */
export type Person = (asked: OpenAsk) => string | undefined;

/** English, in Japan: the greeter has nothing to ask. */
export const known: Respondent = {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'};

/** Every model does its job: asks about the field, has the answer reviewed, and accepts it. */
export const willing: Cast = {
  greeter: ({turn}) =>
    turn === 0
      ? call('ask', {message: 'Hello! Which language, and which country?'})
      : {
          calls: [
            {name: 'set_language', args: {language: 'en'}},
            {name: 'set_country', args: {country: 'Japan'}},
            {name: 'set_timezone', args: {}},
          ],
        },
  architect: ({text}) => {
    const ids = [...text.matchAll(/^> id: (\S+)\n> label: (.+)$/gm)].map(([, id, label]) => ({
      field_id: id,
      label,
      required: true,
    }));
    return call('create_plan', {fields: ids});
  },
  interviewer: (received) =>
    received.turn === 0 || isSentBack(received)
      ? call('ask', {message: `Please tell me: ${labelIn(received)}`})
      : call('subtask', {agent: 'reviewer'}),
  reviewer: (received) => call('review', {passed: true, field_value: answerIn(received)}),
};

/** True when the interviewer's last tool result is a failed review. */
export function isSentBack({text}: ReceivedRequest): boolean {
  return /"passed":false[^\n]*$/.test(text);
}

/** The label of the current field. */
export function labelIn({text}: ReceivedRequest): string {
  return /# Current field\n+> id: \S+\n> label: (.+)/.exec(text)?.[1] ?? '';
}

/** The last line of the answer in the prompt of a reviewer. */
export function answerIn({text}: ReceivedRequest): string {
  const lines = /# Answer \([^\n]*\n+((?:> .*\n)+)/.exec(text)?.[1]?.trim().split('\n') ?? [];
  return lines.at(-1)?.slice(2) ?? '';
}

export function roleOf({tools}: ReceivedRequest): keyof Cast {
  if (tools.includes('set_language')) return 'greeter';
  if (tools.includes('create_plan')) return 'architect';
  return tools.includes('review') ? 'reviewer' : 'interviewer';
}

/** A person who answers the form, and the models that lead them. */
export async function setInterview({
  form,
  cast = {},
  interview,
}: {
  readonly form: Questionnaire;
  readonly cast?: Partial<Cast>;
  readonly interview?: ConfigInput['interview'];
}) {
  const stage = await setWireStage({
    say: (received) => ({...willing, ...cast})[roleOf(received)](received),
    config: {interview: {model: 'mock/leader', reviewer: 'mock/judge', ...interview}},
  });
  return {
    ...stage,
    /** The requests to the models in a role, in order. */
    receivedBy: (role: keyof Cast) => stage.received.filter((each) => roleOf(each) === role),
    start: (respondent: Respondent = known) =>
      stage.start(form.title, {form: 'interview', questionnaire: form, respondent}),
  };
}

export interface Led {
  readonly result: RunResult;
  readonly events: readonly ProgressEvent[];
  /** Each message, and the reply to it. */
  readonly talk: readonly (readonly [asked: string, reply: string])[];
}

/** Follows a run to its end, replying to each message once. */
export async function lead(run: Run, person: Person): Promise<Led> {
  const events: ProgressEvent[] = [];
  const talk: (readonly [string, string])[] = [];
  const seen = new Set<string>();
  const look = (): void => {
    for (const asked of run.asks().filter(({ask}) => !seen.has(ask))) {
      seen.add(asked.ask);
      const text = person(asked);
      if (text === undefined) {
        void run.suspend('waiting');
        return;
      }
      talk.push([asked.message, text]);
      run.send({type: 'person.replied', ask: asked.ask, text});
    }
  };
  await run.opened;
  look();
  for await (const event of run.events) {
    events.push(event);
    look();
  }
  return {result: await run.result, events, talk};
}

/** Gives the listed replies for a field, or for the state of the question, in turn; then leaves. */
export function saying(lines: Readonly<Record<string, readonly string[]>>): Person {
  const left = new Map(Object.entries(lines).map(([key, texts]) => [key, [...texts]]));
  return ({field, section, state}) =>
    (left.get(field ?? '') ?? left.get(section ?? '') ?? left.get(state))?.shift();
}
