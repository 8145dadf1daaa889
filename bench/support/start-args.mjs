// @ts-check
// What `npm start` gives to Node.js: the benches measure what people run.
import { createRequire } from 'node:module';

const { scripts } = createRequire(import.meta.url)('../../package.json');

const start = /node (.*) dist\/main\.js/.exec(scripts.start);
if (start === null) throw new Error('package.json does not say how the service is started.');

export const START_ARGS = start[1].split(' ');
