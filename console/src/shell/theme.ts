import { Code, createTheme, type CSSVariablesResolver } from '@mantine/core';

/** White on this shade, and this shade on white, have a contrast of 5.6. */
const READABLE_SHADE = 9;

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: READABLE_SHADE, dark: READABLE_SHADE },
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  respectReducedMotion: true,
  // Names that people give may be longer than a phone is wide.
  components: { Code: Code.extend({ styles: { root: { overflowWrap: 'anywhere' } } }) },
});

/** Mantine makes buttons lighter under the pointer, too light for the white on them. */
const hovered = {
  '--mantine-color-cyan-filled-hover': darkened('cyan'),
  '--mantine-color-red-filled-hover': darkened('red'),
};

/**
 * Mantine's greys, and the green and yellow of its outlines, are too light for small text: WCAG 2 asks for a contrast
 * of 4.5.
 */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...hovered,
    '--mantine-color-green-outline': darkened('green'),
    '--mantine-color-yellow-outline': darkened('yellow', 70),
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    ...hovered,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

function darkened(color: string, percent = 85): string {
  return `color-mix(in srgb, var(--mantine-color-${color}-${READABLE_SHADE}) ${percent}%, black)`;
}
