import { fileURLToPath } from 'node:url'

// this file runs from src/app/ in a checkout and from dist/ when bundled
const isBundled = !import.meta.url.endsWith('.ts')
const root = fileURLToPath(new URL(isBundled ? '..' : '../..', import.meta.url))

/** The locations of the panel's own files. */
export const paths = {
  packageJson: `${root}/package.json`,
  web: `${root}/dist/web`,
}
