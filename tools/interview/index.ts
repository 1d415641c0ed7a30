/** Reads the replies of an interview by rule: no model, no network. Loaded with the first interview. */

export {checkAnswer} from './check-answer.ts';
export {readReply} from './read-reply.ts';
export {readSetting} from './read-setting.ts';
