import { ProblemError } from './problem-error';

describe('what went wrong', () => {
  it('is that the service cannot be reached when no answer came, and that may pass', () => {
    const problem = ProblemError.of(new TypeError('Failed to fetch'));
    expect(problem).toMatchObject({ code: 'unreachable', mayPass: true });
    expect(problem.message).toBe('The service cannot be reached: Failed to fetch');
  });

  it('is said as it is when the console itself fails, and does not pass', () => {
    expect(ProblemError.of(new Error('The export is no file.'))).toMatchObject({
      message: 'The export is no file.',
      code: 'console',
      mayPass: false,
    });
  });

  it.each([
    [429, true],
    [503, true],
    [404, false],
  ])('may pass when the status is %d: %p', (status, mayPass) => {
    expect(new ProblemError('', status, 'unknown', [], undefined).mayPass).toBe(mayPass);
  });
});
