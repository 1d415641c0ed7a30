/** A review as SARIF 2.1.0 (OASIS), for code hosts that show findings beside the code. */

import type {Location, Log, Result} from 'sarif';

import type {Severity} from '../../machines/domain/patch.ts';
import type {DiffReview, RunResult} from '../../machines/domain/result.ts';
import {reasonText} from '../render/round.ts';
import {version} from '../version.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  major: 'warning',
  minor: 'note',
};

type Remark = DiffReview['comments'][number];

/** The log as JSON data. A rejection without a comment becomes a finding on the first file of its part, a comment on
 * the whole diff one on its first file. */
export function toSarif({review, status}: RunResult): Log {
  const comments = review?.comments ?? [];
  const first = review?.votes[0]?.file ?? '';
  const findings = [
    ...comments.map((comment) => findingOf({...comment, file: comment.file || first})),
    ...(review ? bareRejections(review) : []),
  ];
  const ids = [...new Set(findings.map(({ruleId}) => ruleId))];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'quorate',
            version: version(),
            rules: ids.map((id) => ({id})),
          },
        },
        invocations: [{executionSuccessful: review !== undefined && status !== 'error'}],
        results: findings,
      },
    ],
  };
}

type FindingData = Result & {readonly ruleId: string};

function findingOf({file, line, severity, message, seat, rule}: Remark): FindingData {
  return {
    ruleId: rule === undefined ? `review/${severity}` : `${seat}/${rule}`,
    level: levels[severity],
    message: {text: `${message} (${seat})`},
    locations: [locationOf(file, line)],
    properties: {seat, severity},
  };
}

function bareRejections({votes, comments}: DiffReview): FindingData[] {
  return votes
    .filter(
      ({verdict, model}) => verdict === 'reject' && !comments.some(({seat}) => seat === model),
    )
    .map((vote) => ({
      ruleId: 'review/rejected',
      level: 'error',
      message: {text: reasonText(vote)},
      locations: [locationOf(vote.file, undefined)],
      properties: {seat: vote.model},
    }));
}

function locationOf(file: string, line: number | undefined): Location {
  return {
    physicalLocation: {
      artifactLocation: {
        uri: file.split('/').map(encodeURIComponent).join('/'),
        uriBaseId: '%SRCROOT%',
      },
      ...(line === undefined ? {} : {region: {startLine: line}}),
    },
  };
}
