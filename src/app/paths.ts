import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// this file runs from src/app/ in a checkout and from dist/ when bundled
const isBundled = !import.meta.url.endsWith('.ts')
const root = fileURLToPath(new URL(isBundled ? '..' : '../..', import.meta.url))

/** The locations of the panel's own files. */
export const paths = {
  packageJson: `${root}/package.json`,
  web: `${root}/dist/web`,
}

/** The installation folder of which this is one of the versions; undefined for a checkout. */
export function installationFolder(): string | undefined {
  const versions = dirname(resolve(root))
  const folder = dirname(versions)
  return isBundled && basename(versions) === 'versions' && existsSync(`${folder}/current`)
    ? folder
    : undefined
}
