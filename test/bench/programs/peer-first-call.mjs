/** The peer: how long after the start of the process the first model is called. */

import {generateText} from 'ai';

import {tell} from './measure.mjs';

const model = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'worker',
  supportedUrls: {},
  doGenerate: async () => {
    const {user, system} = process.cpuUsage();
    tell({ms: performance.now(), cpuMs: (user + system) / 1_000});
    return await Promise.withResolvers().promise;
  },
};
await generateText({model, prompt: 'What is measured here?'});
