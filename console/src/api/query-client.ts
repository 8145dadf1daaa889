import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './problem-error';

const FRESH_MS = 5_000;
const TRIES = 3;

/** What was asked for lately is not asked for again; what may pass (a restart, a network) is asked for again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < TRIES && ProblemError.of(error).mayPass,
      },
    },
  });
}
