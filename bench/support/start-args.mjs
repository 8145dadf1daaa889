// What `npm start` gives to Node.js: the benches measure what people run.
import { createRequire } from 'node:module';

const { scripts } = createRequire(import.meta.url)('../../package.json');

export const START_ARGS = /node (.*) dist\/main\.js/.exec(scripts.start)[1].split(' ');
