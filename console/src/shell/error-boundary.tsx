import { Alert, Button, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/**
 * Keeps the rest of the console alive when a page breaks. The usual reason is an upgrade: the files of the version that
 * is open are gone, and loading the page again brings the new ones.
 */
export class ErrorBoundary extends Component<Props, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Stack align="flex-start">
        <Alert color="red" variant="outline" role="alert" title="This page broke" w="100%">
          <Text size="sm">{error.message}</Text>
        </Alert>
        <Button variant="default" onClick={() => globalThis.location.reload()}>
          Load it again
        </Button>
      </Stack>
    );
  }
}
