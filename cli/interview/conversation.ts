/** Translates a person's lines into replies to an interview; the same on a terminal and from a pipe. */

import type {RunEvent} from '../../actors/runtime-api.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {languageOf} from '../../machines/forms/interview/dialogue.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import type {Style} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {type Spoken, readSpoken} from './commands.ts';
import {type Room, answerLines, fieldsThatApply, helpLines, reviewLines} from './screen.ts';
import {wordsFor} from './words.ts';

export interface Conversation {
  /** Handles a line. Returns the outcome: it was sent, the person leaves, or the question is still open. */
  readonly receive: (line: string) => 'said' | 'left' | 'refused' | 'shown';
  readonly room: () => Room;
}

export type Replied = Extract<RunEvent, {readonly type: 'person.replied'}>;

export interface ConversationOptions {
  /** The open question of the interview; undefined while it works. */
  readonly asked: () => OpenAsk | undefined;
  readonly interview: () => InterviewView | undefined;
  readonly reply: (replied: Replied) => void;
  readonly print: (lines: readonly string[]) => void;
  readonly style: Style;
  readonly width: () => number;
  /** BCP 47, until the respondent's language is known. */
  readonly language?: string;
}

interface Ground extends Pick<ConversationOptions, 'print' | 'style'> {
  readonly asked: OpenAsk;
  readonly view: InterviewView;
  readonly room: Room;
  readonly send: (reply: Reply) => 'said';
}

type Reply = {readonly text: string} | {readonly field: string} | {readonly confirms: true};

export function createConversation(options: ConversationOptions): Conversation {
  const {asked, interview, reply, print, style, width, language} = options;
  const room = (): Room => ({
    style,
    width: width(),
    words: wordsFor(languageIn(interview()) ?? language),
  });
  return {
    room,
    receive: (line) => {
      const [open, view] = [asked(), interview()];
      const spoken = readSpoken(line);
      if (spoken.kind === 'nothing') return 'shown';
      if (spoken.kind === 'quit') return 'left';
      if (!open || !view) {
        print([style.yellow(oneLine(room().words.tooEarly + line))]);
        return 'refused';
      }
      const send = (said: Reply): 'said' => {
        reply({type: 'person.replied', ask: open.ask, ...said});
        return 'said';
      };
      return obey(spoken, {print, style, asked: open, view, room: room(), send});
    },
  };
}

/** BCP 47, once the respondent's language is known, or the form has one. */
export function languageIn(view: InterviewView | undefined): string | undefined {
  return view && languageOf({respondent: view.answers, questionnaire: view.questionnaire});
}

type Outcome = 'said' | 'refused' | 'shown';

function obey(
  spoken: Exclude<Spoken, {readonly kind: 'nothing'} | {readonly kind: 'quit'}>,
  ground: Ground,
): Outcome {
  const {print, room, send} = ground;
  switch (spoken.kind) {
    case 'say':
      return send({text: spoken.text});
    case 'back':
      return goBack(spoken.name, ground);
    case 'review':
      return review(spoken.name, ground);
    case 'submit':
      return submit(ground);
    case 'unknown':
      return refuse(room.words.unknownCommand(spoken.word, spoken.near), ground);
    case 'help':
      print(helpLines(room));
      return 'shown';
    default:
      return spoken satisfies never;
  }
}

function goBack(name: string, ground: Ground): Outcome {
  const fields = fieldsThatApply(ground.view);
  const field = matchingFields(name, fields);
  return field ? ground.send({field: field.id}) : refuseName(name, fields, ground);
}

function review(name: string, ground: Ground): Outcome {
  const {print, view, room} = ground;
  const fields = fieldsThatApply(view);
  const field = name === '' ? undefined : matchingFields(name, fields);
  if (name !== '' && !field) return refuseName(name, fields, ground);
  print(['', ...(field ? answerLines(field, view, room) : reviewLines(view, room))]);
  return 'shown';
}

function submit(ground: Ground): Outcome {
  const {asked, view, room, send} = ground;
  if (asked.state === 'confirming' && view.canSubmit) return send({confirms: true});
  const open = fieldsThatApply(view).filter(({id}) => view.open.includes(id));
  return refuse(room.words.notYet(open.map(({label}) => label)), ground);
}

/** Finds fields by number, by id, or by the beginning of the label. */
function matchingFields(name: string, fields: readonly FormField[]): FormField | undefined {
  const wanted = name.toLowerCase();
  return (
    fields[Number(name) - 1] ??
    fields.find(({id, label}) => id === name || label.toLowerCase() === wanted) ??
    fields.find(({label}) => label.toLowerCase().startsWith(wanted))
  );
}

function refuseName(name: string, fields: readonly FormField[], ground: Ground): Outcome {
  const near = nearest(
    name,
    fields.flatMap(({id, label}) => [label, id]),
  );
  return refuse(ground.room.words.noField(name, near), ground);
}

function refuse(why: string, {print, style}: Ground): Outcome {
  print([style.yellow(oneLine(why))]);
  return 'refused';
}
