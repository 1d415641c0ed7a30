/** The option for the file of an interview's answers. */

import type {Option} from '../line/option.ts';

export const answersOption: Option = {
  name: 'answers',
  takes: 'FILE',
  text: {
    en: 'write the answers of an interview to this file as JSON, also when it is not complete',
    ja: 'インタビューの回答を JSON でこのファイルに書く。途中でも書く',
  },
};
