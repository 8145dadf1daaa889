import '@mantine/core/styles.css';
import { styleNonce } from './shell/style-nonce';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MeProvider } from './api/me';
import { createQueryClient } from './api/query-client';
import { AskingRouter } from './shell/asking-router';
import { Shell } from './shell/shell';
import { readableColors, theme } from './shell/theme';
import { Views } from './shell/views';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={createQueryClient()}>
        <AskingRouter base="/console">
          <MeProvider>
            <Shell>
              <Views />
            </Shell>
          </MeProvider>
        </AskingRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
