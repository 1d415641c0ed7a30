/** Runs `quorate interview FORM`, from its arguments to the exit code. */

import {relative, resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {languageOf} from '../../machines/forms/interview/dialogue.ts';
import {type Message, t} from '../../machines/message.ts';
import type {KnownRespondent, Respondent, Section} from '../../machines/questionnaire/answers.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {readSetting} from '../../tools/interview/read-setting.ts';
import {type Device, withLikely} from '../../tools/interview/settings.ts';
import {type FormFile, readFormFile} from '../../tools/questionnaire/form-file.ts';
import type {Given, ValuesOf} from '../commands/define.ts';
import type {interviewOptions} from '../commands/interview.ts';
import {say, wordIn} from '../language.ts';
import type {Parsed} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {printReport, type Report} from '../render/report.ts';
import {oneLine} from '../render/text.ts';
import {launchRun} from '../start-run.ts';
import type {Terminal} from '../terminal.ts';
import {interviewSession} from './interview-session.ts';

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
