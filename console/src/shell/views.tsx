import { Text } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useMe } from '../api/me';
import { pages } from '../pages';
import { Loading } from '../shared/answered';
import { Page } from '../shared/page';
import { To } from '../shared/to';
import { ErrorBoundary } from './error-boundary';

/** What belongs to the address. */
export function Views(): ReactNode {
  const { scopes } = useMe();
  const [location] = useLocation();
  const allowed = pages.filter(({ needs }) => scopes.includes(`cdp:${needs}`));
  const home = allowed[0]?.path;
  return (
    <ErrorBoundary key={location}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {allowed.flatMap(({ views }) =>
            Object.entries(views).map(([path, View]) => (
              <Route key={path} path={path}>
                <View />
              </Route>
            )),
          )}
          {home !== undefined && (
            <Route path="/">
              <Redirect to={home} replace />
            </Route>
          )}
          <Route>
            <Page title="Nothing here">
              {home === undefined ? (
                <Text>Every page needs the scope cdp:read, which you do not have.</Text>
              ) : (
                <Text>
                  There is no such page, or you may not see it. <To href="/">To the start</To>
                </Text>
              )}
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
