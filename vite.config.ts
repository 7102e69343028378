import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const shell = fileURLToPath(new URL('src/web/', import.meta.url))

// The panel in the browser. Modules of the areas are pure declarations here, so that a model which names another area's
// schema brings that schema along and nothing of the server.
export default defineConfig({
  root: shell,
  base: '/',
  plugins: [react()],
  define: { __webpack_nonce__: 'globalThis.styleNonce' }, // where the scroll lock of dialogs looks for the nonce of its style element
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'], // the first that know light-dark()
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id: string) => id.endsWith('.css') || id.includes('/src/web/') },
    },
  },
})
