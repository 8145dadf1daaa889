declare global {
  // What `get-nonce` reads, for the style that keeps the page behind a dialog from scrolling.
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the Content-Security-Policy of this answer names, for `<style>` elements of the component library. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

globalThis.__webpack_nonce__ = styleNonce;
