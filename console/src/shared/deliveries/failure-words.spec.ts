import { ERROR_CLASSES } from '../../../../src/connectors/error-classes';
import { HEALTH_REASONS } from '../../../../src/delivery/stats/health-of';
import { failureWords } from './failure-words';

describe('what is the matter, in words', () => {
  it.each(HEALTH_REASONS)('is said of a destination, without a code: %s', (reason) => {
    expect(failureWords(reason)).not.toContain('_');
  });

  it('is said of each error class that the service itself has', () => {
    expect(ERROR_CLASSES.filter((errorClass) => failureWords(errorClass) === errorClass)).toEqual([]);
  });

  it('does not say twice what the class says', () => {
    expect(failureWords('http_5xx')).toBe('the receiver failed – http_5xx');
  });

  it('is the class alone where a connector has one of its own', () => {
    expect(failureWords('out_of_stamps')).toBe('out_of_stamps');
  });
});
