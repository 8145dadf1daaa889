import { DatabaseError } from 'pg';
import { WorkerErrors } from './worker-errors';

it('warns of errors, but not of workers that were in the way of each other: those ask again', () => {
  const lines: string[] = [];
  const errors = new WorkerErrors({
    debug: (line: string) => void lines.push(`debug ${line}`),
    warn: (line: string) => void lines.push(`warn ${line}`),
  });
  errors.log(Object.assign(new DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' }));
  errors.log(new Error('getaddrinfo ENOTFOUND'));
  expect(lines).toEqual([
    expect.stringMatching(/^debug Workers were .* asks again: error: deadlock detected$/),
    'warn Error: getaddrinfo ENOTFOUND',
  ]);
});
