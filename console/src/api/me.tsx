import { createContext, type ReactNode, useContext } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Answered } from '../shared/answered';
import { api, bodyOf, type Dto } from './client';

type Me = Dto['MeDto'];
/** What a person may do: the scopes of the Management API, without their prefix. */
export type Scope = 'read' | 'write' | 'privacy' | 'admin';

const MeContext = createContext<Me | undefined>(undefined);

/** Asks who is logged in, and shows the rest when that is known. */
export function MeProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const me = useQuery({ queryKey: ['me'], queryFn: () => bodyOf(api.GET('/me')), staleTime: Infinity });
  return <Answered query={me}>{(known) => <MeContext value={known}>{children}</MeContext>}</Answered>;
}

export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === undefined) throw new Error('useMe is for what is inside of MeProvider.');
  return me;
}

/** Whether the person may do that. What they may not do has no button. */
export function useCan(scope: Scope): boolean {
  return useMe().scopes.includes(`cdp:${scope}`);
}
