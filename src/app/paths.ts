import { fileURLToPath } from 'node:url'

// this file runs from src/app/ in a checkout and from dist/ when bundled
const isBundled = !import.meta.url.endsWith('.ts')
const root = fileURLToPath(new URL(isBundled ? '..' : '../..', import.meta.url))

/** Where the panel's own files lie. */
export const paths = {
  packageJson: `${root}/package.json`,
  web: `${root}/dist/web`,
}
