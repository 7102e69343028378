import { Badge, createTheme, type CSSVariablesResolver, Modal } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "JetBrains Mono", "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  colors: {
    dark: [
      '#d3d7dd',
      '#b4bac2',
      '#868e99',
      '#59616c',
      '#3d444d',
      '#2f343b',
      '#23272d',
      '#1d2025',
      '#15171b',
      '#0f1114',
    ],
  },
  headings: { fontWeight: '650' },
  components: {
    // The whole label is shown: a long one wraps, as a badge without its end says nothing.
    Badge: Badge.extend({
      styles: {
        root: { height: 'auto', minHeight: 'var(--badge-height)', maxWidth: '100%', flexShrink: 0 },
        label: { overflow: 'visible', whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.4 },
      },
    }),
    // The header of a dialog is not a banner landmark of the page.
    Modal: Modal.extend({
      defaultProps: {
        radius: 'lg',
        padding: 'lg',
        transitionProps: { duration: 120 },
        attributes: { header: { role: 'presentation' } },
      },
      // Break a long title so that it does not push the close button out.
      styles: {
        title: {
          fontWeight: 650,
          fontSize: 'var(--mantine-font-size-lg)',
          lineHeight: 1.3,
          minWidth: 0,
          overflowWrap: 'anywhere',
        },
        close: { flex: 'none' },
        // A focused field scrolls out from under the sticky footer.
        content: {
          scrollPaddingBottom: 80,
          maxHeight: 'calc(100dvh - var(--modal-y-offset) - max(var(--modal-y-offset), var(--notices, 0px)))',
        },
      },
    }),
  },
})

const tinted = ['indigo', 'red', 'green', 'orange', 'gray', 'blue', 'yellow'] as const

/** Shades that keep a contrast of 4.5 to 1 between text and background where the defaults do not. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b64',
    '--mantine-color-placeholder': '#626a73',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#364fc7',
    ...Object.fromEntries(
      tinted.flatMap((name) => [
        [`--mantine-color-${name}-light`, colors[name]?.[0] ?? ''],
        [`--mantine-color-${name}-light-hover`, colors[name]?.[1] ?? ''],
      ]),
    ),
    ...Object.fromEntries(
      tinted.map((name) => [
        `--mantine-color-${name}-light-color`,
        name === 'green'
          ? '#1b6b2c'
          : name === 'orange'
            ? '#a33a02'
            : name === 'yellow'
              ? '#7a4a00'
              : name === 'red'
                ? '#a51d1d'
                : (colors[name]?.[9] ?? ''),
      ]),
    ),
  },
  dark: {
    '--mantine-color-dimmed': '#a6abb3',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    ...Object.fromEntries(
      tinted.map((name) => [`--mantine-color-${name}-light-color`, colors[name]?.[2] ?? '']),
    ),
  },
})
