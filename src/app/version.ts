import { readFileSync } from 'node:fs'
import { paths } from './paths.ts'

/** The release of the panel. */
export const version: string = (JSON.parse(readFileSync(paths.packageJson, 'utf8')) as { version: string })
  .version
