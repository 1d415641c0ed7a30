/** The option for the file of an interview's answers. */

import {t} from '../../machines/message.ts';
import type {Option} from '../line/command.ts';

export const answersOption: Option = {
  name: 'answers',
  takes: 'FILE',
  text: t`write the answers of an interview to this file as JSON, also when it is not complete`,
};
