/** Names of tools that Quorate itself gives to models. A test compares them with the tools. */

const reserved: ReadonlySet<string> = new Set(
  [
    'answer_objections ask calculator cast_ballot conclude create_plan database edit_file evaluate_result',
    'find_tools',
    'glob_search grep_search order_fields raise_objections rank_answers read_file review review_answer',
    'review_calls review_diff route rule_on_objections run_command score_plan search set_country set_language',
    'set_timezone spawn_agent spawn_ask spawn_discuss spawn_interview subtask take_position web_fetch',
    'write_file',
  ].flatMap((names) => names.split(' ')),
);

export function isFreeName(name: string): boolean {
  return !reserved.has(name);
}
