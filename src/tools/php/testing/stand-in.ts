import { existsSync, readFileSync } from 'node:fs'
import type { PhpProgram } from '../master.ts'
import { generationOf } from '../render-pool.ts'

/** A php-fpm that accepts every configuration, and serves what the files below `root` contain now. */
export function standInPhp(root: () => string): PhpProgram {
  return {
    hasUnits: async () => false,
    check: async () => undefined,
    isRunning: async () => true,
    start: async () => {},
    reload: async () => {},
    stop: async () => {},
    served: async (socketPath) => {
      const [, username, version, site] =
        /^\/run\/hostreeve-php\/(.+)-([\d.]+)\/(site-\d+)\.sock$/.exec(socketPath) ?? []
      const path = `${root()}/etc/php/${version}/fpm/hostreeve/${username}/${site}.conf`
      return existsSync(path) ? generationOf(readFileSync(path, 'utf8')) : undefined
    },
  }
}
