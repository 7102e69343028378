import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { guidePages } from './scripts/guide-pages.ts'

const shell = fileURLToPath(new URL('src/web/', import.meta.url))

/** Each component of Mantine brings the styles of its own, so that those of unused components are left out. */
const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  transform(code, id) {
    const component = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1]
    return component && { code: `import '@mantine/core/styles/${component}.css'\n${code}`, map: null }
  },
}

/** What each page of the panel uses. */
const onEachPage =
  /src\/web\/(?:[\w-]+\.ts|shell\/|kit\/(?:Page|Crumbs|states|notices|LinkButton|GuideLink|Moment|StateBadge|format|area-of-path|job-feed|JobProgress|time-zone|notice-space))|src\/areas\/(?:auth|users|system|jobs|programs)\/web\/(?:api|queries)\.ts|@tanstack\/(?:query-core|react-query|router-core|react-router|history|store|react-store)\//

/** Components of forms and of figures, which the first pages do without. */
const inForms =
  /Textarea|Switch|SimpleGrid|NumberInput|Combobox|TagsInput|MultiSelect|Autocomplete|Pill|FileInput/

// The panel in the browser. Modules of the areas are pure declarations here, so that a model which names another area's
// schema brings that schema along and nothing of the server.
export default defineConfig({
  root: shell,
  base: '/',
  plugins: [react(), stylesOfComponents, guidePages()],
  define: { __webpack_nonce__: 'globalThis.styleNonce' }, // where the scroll lock of dialogs looks for the nonce of its style element
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'], // the first that know light-dark()
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // each request costs its headers: the icons of all pages are in one file, and so are common components
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'sign-in',
              test: /src\/web\/(?:sign-in|connection|session|wire|call|failure-of)/,
              priority: 3,
            },
            { name: 'icons', test: /@tabler/, priority: 2 },
            {
              name: 'ui',
              test: (id) => /@mantine|@floating-ui/.test(id) && !inForms.test(id),
              minShareCount: 10,
              priority: 2,
            },
            { name: 'shared', test: onEachPage, minShareCount: 10, priority: 1 },
          ],
        },
      },
      treeshake: { moduleSideEffects: (id: string) => id.endsWith('.css') || id.includes('/src/web/') },
    },
  },
})
