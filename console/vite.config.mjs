import { defineConfig } from 'vite';

/** A service to develop against: `npm run console:dev` passes requests to it. */
const SERVICE = process.env.CDP_CONSOLE_SERVICE ?? 'http://localhost:3000';

export default defineConfig({
  base: '/console/',
  build: {
    target: 'es2022',
    // Each file is one that the browser may keep; nothing is put into another one as text.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  html: { cspNonce: 'CSP_NONCE' },
  server: {
    proxy: Object.fromEntries(
      ['/login', '/logout', '^/(?!console)'].map((path) => [path, { target: SERVICE, changeOrigin: false }]),
    ),
  },
});
