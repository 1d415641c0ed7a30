/** The subject of an effect in a few words. */

import type {Asked} from '../../machines/ports.ts';

const most = 120;

export function effectLabel(asked: Asked): string {
  const [line = ''] = subjectOf(asked).split('\n', 1);
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}

function subjectOf({port, request}: Asked): string {
  if (port === 'callModel') return `${request.model} (${request.purpose})`;
  if (port === 'runTool' || port === 'previewTool')
    return `${request.tool} ${JSON.stringify(request.args)}`;
  if (port === 'askHuman') return request.reason;
  if (port === 'askPerson') return request.masked ?? request.message;
  if (port === 'screenProposal') return request.policies.join(', ');
  return port === 'awaitResume' ? request.message : '';
}
