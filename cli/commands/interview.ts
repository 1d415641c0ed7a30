/** `quorate interview FORM`: fills a form by conversation. */

import {t} from '../../machines/message.ts';
import {defaultType, fieldTypes} from '../../machines/questionnaire/field-types.ts';
import {answersOption, switchOption, wordOption} from '../line/option-values.ts';
import {command} from './define.ts';

export const interviewOptions = {
  answers: answersOption,
  lang: wordOption(
    'LANGUAGE',
    t`the language of the conversation, such as ja; otherwise that of the environment, or it is asked`,
  ),
  country: wordOption('COUNTRY', t`where the person lives, such as JP or Japan`),
  timezone: wordOption('ZONE', t`their time zone, such as Asia/Tokyo`),
  check: switchOption(t`ask nothing: report the problems of the form with their places`),
};

/** All types of fields, in a sentence. */
const typesText = fieldTypes
  .map((type) => (type === defaultType ? `${type} (the default)` : type))
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

export const interview = command({
  operands: {
    usage: 'FORM',
    what: t`the file of a form`,
    least: 1,
    most: 1,
  },
  summary: t`fill a form by conversation; --answers FILE: where the answers go, --check: the form`,
  detail: t`Asks for the fields of a form, one after the other, on the terminal. Every answer is reviewed before the next question.
One answer may fill several fields, and earlier answers can be corrected at any time. At the end all answers are shown, and
submitted when the person confirms them. Rules speak English and Japanese, a model any language.

A form is a TOML or JSON file:

  id = "shirt"
  title = "Your T-shirt"

  [[fields]]
  id = "size"
  label = "Size"
  intent = "To order the right one"
  type = "choice"           ${typesText}
  choices = ["S", "M", "L"]
  required = true           otherwise it may be left out
  sensitivity = "personal"  masked in records and logs; a model sees it only if rules don't suffice; "secret": rules only
  relevant_if = "…"         asked only if: other = 'x', <, in ('a', 'b'), is blank, and, or, not
                            also: pattern (RE2), min and max (of a text its length; today), order, why

  [[facts]]                 a fact that an answer must contain beside the value
  field = "size"
  key = "reason"
  fact = "Why this size"
  done_criteria = "…"       by rule: a number, a date, one of …, matches …, not blank; otherwise a model judges
  questioning_hints = "…"

Without a model (-m interview=MODEL, interview.model) rules ask, read and review. /help in the conversation lists
the commands; Ctrl-C suspends the interview, quorate resume continues it. From a pipe each line is one message; at its end
a form that is not submitted waits. Exit 0 submitted, 1 cancelled, 2 the form can't be read, 4 waiting, 130 interrupted.`,
  options: interviewOptions,
  obeys: ['output', 'log', 'models', 'limits'],
  roles: ['interview', 'interview-reviewer'],
  examples: [
    'quorate interview form.toml --answers answers.json',
    'quorate interview form.toml --check',
    'printf "en\\nJapan\\nL\\n" | quorate interview form.toml --output json',
  ],
  endsWithResult: 'interview',
  run: async (parsed, terminal) => {
    const {startInterview} = await import('../interview/start.ts');
    return await startInterview(parsed, terminal);
  },
});
