/** The CPU that a process of Node needs to start. */

import {tell} from './measure.mjs';

const {user, system} = process.cpuUsage();
tell({cpuMs: (user + system) / 1_000});
