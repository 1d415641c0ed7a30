/** Runs `quorate interview FORM`, from its arguments to the exit code. */

import {relative, resolve} from 'node:path';

import type {Run} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {languageOf} from '../../machines/forms/interview/dialogue.ts';
import {type Message, t} from '../../machines/message.ts';
import type {KnownRespondent, Respondent, Section} from '../../machines/questionnaire/answers.ts';
import {
  type Questionnaire,
  questionnaireDigest,
} from '../../machines/questionnaire/questionnaire.ts';
import {readSetting} from '../../tools/interview/read-setting.ts';
import {type Device, withLikely} from '../../tools/interview/settings.ts';
import {type FormFile, readFormFile} from '../../tools/questionnaire/form-file.ts';
import type {Given, ValuesOf} from '../commands/define.ts';
import type {interviewOptions} from '../commands/interview.ts';
import {say, tryLanguage, wordIn} from '../language.ts';
import {type Parsed, levelOf} from '../line/command.ts';
import type {WithAnswers} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {type Report, printReport} from '../render/report.ts';
import {oneLine} from '../render/text.ts';
import type {SessionOptions} from '../session.ts';
import {launchRun} from '../start-run.ts';
import {type Terminal, isInteractive, tryToWrite} from '../terminal.ts';
import {checkAnswersFile, writeAnswers} from './answers-file.ts';
import {attendedScreen} from './attended.ts';
import {pipedScreen} from './piped.ts';

/** Rejects with AppError `usage` for an invalid form, with every problem, and for invalid values of flags. */
export async function startInterview(
  parsed: Given<typeof interviewOptions>,
  terminal: Terminal,
): Promise<number> {
  const [path = ''] = parsed.operands;
  const form = await readFormFile(path);
  if (parsed.options.check) return await writeCheck(path, form, {parsed, terminal});
  if (form.kind !== 'read') throw invalidForm(path, form.problems);
  const {questionnaire} = form;
  const respondent = withLikely(await respondentIn(parsed.options), deviceOf(terminal));
  const language = languageOf({respondent, questionnaire});
  const session = await interviewSession(parsed, terminal, {language});
  return await launchRun(
    (workspace) => ({
      form: 'interview',
      request: nameOf(path, workspace),
      questionnaire,
      respondent,
    }),
    {parsed, terminal, ...session},
  );
}

function invalidForm(path: string, problems: readonly string[]): AppError {
  const [only = '', second] = problems;
  if (second === undefined) return new AppError('usage', only);
  const [file, count] = [oneLine(path, 200), problems.length];
  return usageError(t`${file} has ${count} {problem|problems}:`, {details: problems});
}

/** The form's name in the record, by which a later process finds it again. */
function nameOf(path: string, workspace: string): string {
  const inside = relative(workspace, resolve(path));
  return inside.startsWith('..') ? resolve(path) : inside;
}

/** `--check`: exit 0 for a usable form, 2 for an invalid one. */
async function writeCheck(
  path: string,
  form: FormFile,
  {parsed, terminal}: {readonly parsed: Parsed; readonly terminal: Terminal},
): Promise<number> {
  const isGood = form.kind === 'read';
  const data = isGood ? {...form, problems: []} : {...form, warnings: []};
  const lines: Report['lines'] = ({style}) =>
    isGood
      ? [
          ...form.warnings.map(
            (warning) => `${style.yellow(`${say(t`warning`, style)}:`)} ${oneLine(warning)}`,
          ),
          `${style.green('✓')} ${oneLine(path, 200)}: ${say(summaryOf(form.questionnaire), style)}`,
        ]
      : form.problems.map(
          (problem) => `${style.red(`${wordIn('error', style)}:`)} ${oneLine(problem, 1000)}`,
        );
  await printReport({data, lines}, parsed, terminal);
  return isGood ? 0 : 2;
}

function summaryOf({title, fields, facts}: Questionnaire): Message {
  const required = fields.filter((field) => field.required).length;
  const about = facts.length === 0 ? t`` : t`, ${facts.length} {fact|facts}`;
  return t`“${oneLine(title, 100)}”, ${fields.length} {field|fields} (${required} required)${about}`;
}

/** The settings of a respondent that this machine suggests. */
export function respondentHere(terminal: Pick<Terminal, 'env'>): KnownRespondent {
  return withLikely({}, deviceOf(terminal));
}

/** The locale of the environment; its time zone, else that of the machine. */
function deviceOf({env}: Pick<Terminal, 'env'>): Device {
  const {TZ: timezone = Intl.DateTimeFormat().resolvedOptions().timeZone} = env;
  return {locale: env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'], timezone};
}

async function respondentIn(options: ValuesOf<typeof interviewOptions>): Promise<Respondent> {
  const known = async (
    flag: 'lang' | 'country' | 'timezone',
    section: Section,
  ): Promise<Respondent> => {
    const text = options[flag];
    return text === undefined ? {} : {[section]: await settingIn(flag, section, text)};
  };
  return {
    ...(await known('lang', 'language')),
    ...(await known('country', 'country')),
    ...(await known('timezone', 'timezone')),
  };
}

async function settingIn(flag: string, section: Section, text: string): Promise<string> {
  const {value, problem = 'is not known', choices = []} = await readSetting({section, text});
  if (value !== undefined) return value;
  throw usageError(t`--${flag} ${oneLine(text, 80)}: ${problem}${whichOf(choices)}`);
}

function whichOf(choices: readonly string[]): string {
  const [only, second] = choices;
  if (only === undefined) return '';
  return second === undefined ? `; did you mean ${only}?` : `: ${choices.join(', ')}`;
}

// The session options of an interview, new or resumed: its display, and the file of its answers.

export interface Beginning {
  /** BCP 47, until the respondent's language is known. */
  readonly language?: string;
  readonly isResumed?: boolean;
}

/** Rejects with AppError `usage` for a file of answers that can't be written. */
export async function interviewSession(
  parsed: WithAnswers,
  terminal: Terminal,
  {language, isResumed = false}: Beginning,
): Promise<Pick<SessionOptions, 'screen' | 'onResult'>> {
  const file = parsed.options.answers;
  if (file !== undefined) await checkAnswersFile(file);
  const known = language === undefined ? {} : {language};
  const screen = isInteractive(terminal)
    ? attendedScreen({terminal, level: levelOf(parsed), isResumed, ...known})
    : pipedScreen(terminal, {isResumed, ...known});
  if (file === undefined) return {screen};
  return {
    screen,
    onResult: async (result) => {
      const isWritten = await writeAnswers(file, result);
      if (!isWritten || parsed.quiet) return;
      await tryToWrite(
        terminal.stderr,
        `${say(t`the answers are in ${oneLine(file, 300)}`, terminal)}\n`,
      );
    },
  };
}

// A resumed interview: its form may have changed meanwhile.

/**
 * Sends the interview its form again when the form file has changed. Resolves with warnings for the person. A form that did not
 * come from a file, such as a program's own, is unchanged.
 */
export async function followForm(
  run: Pick<Run, 'interview' | 'send'>,
  {workspace, request}: {readonly workspace: string; readonly request: string},
): Promise<readonly string[]> {
  const view = run.interview();
  const form = await readFormFile(resolve(workspace, request));
  if (!view || form.kind === 'absent') return [];
  if (form.kind !== 'read') {
    const why = form.problems.join('; ');
    const language = tryLanguage(view.answers.language);
    return [
      say(
        t`The form can’t be read any more, so the interview continues with the form that it began with: ${why}`,
        {language},
      ),
    ];
  }
  const {questionnaire} = form;
  if (questionnaireDigest(questionnaire) !== questionnaireDigest(view.questionnaire)) {
    run.send({type: 'form.changed', questionnaire});
  }
  return [];
}
