import {expect, test} from 'vitest';

import {parseConfig} from '../../actors/config/keys.ts';
import {createRedactor} from '../../actors/secrets/redact.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, work} from '../support/scenario.ts';
import {folderWith, follow, journalIn, journalText, setStage} from '../support/stage.ts';

const canary = 'sk-canary-1f0c9a7be24d';
test.each(['SOME_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'HOUSE_PAT', 'DATABASE_URL'])(
  'the value of %s reaches neither the journal, nor a report, nor another model',
  async (name) => {
    const folder = folderWith();
    putManyFiles(folder);
    const {start, requests, runtime} = setStage({
      folder,
      say: (request) =>
        request.purpose === 'explore' ? answer(`the key is ${canary}`) : work(request),
      config: {agent: {review_models: ['policy/safety'], phase_scope: 'plan-only'}},
      journal: journalIn(folder),
      env: {[name]: canary},
    });
    const {events} = await follow(start(`Use ${canary} well`));
    await runtime.close();
    const reports = events.map((event) => JSON.stringify(event));
    const received = requests.map((request) => JSON.stringify(request));
    expect(received.length).toBeGreaterThan(1);
    expect(received.join('\n')).toContain('the key is [redacted]');
    expect(received.join('\n')).not.toContain(canary);
    expect(reports.join('\n')).not.toContain(canary);
    expect(journalText(folder)).toContain('[redacted]');
    expect(journalText(folder)).not.toContain(canary);
  },
);

test('a pattern is applied as it is validated: it matches characters of every script', () => {
  const config = parseConfig({secrets: {patterns: ['\\p{Lu}{2}-\\d+', '[🔑]\\w+']}});
  const {text} = createRedactor(config, {});
  expect(text('ÄÖ-12 and 🔑abc, not ab-3')).toBe('[redacted] and [redacted], not ab-3');
});
