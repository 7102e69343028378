import type { Files } from '../../host/files.ts'
import { parseConfig } from './config/config.ts'
import { certificateLists, usersOfFile } from './config/uses.ts'

/**
 * Accesses the certificates that the panel stores, by domain, and finds the configuration parts that use
 * them.
 */
export function certificateFiles(files: Files, directory: string) {
  const pathOf = (domain: string) => `${directory}/${domain}.pem`
  return {
    list: async () =>
      (await files.list(directory)).filter((name) => name.endsWith('.pem')).map((name) => name.slice(0, -4)),
    read: (domain: string) => files.read(pathOf(domain)),
    usersOf: (text: string, domain: string) => usersOf(files, text, pathOf(domain)),
    pathOf,
  }
}

/** Returns the parts of the configuration that name a certificate, directly or through a certificate list. */
async function usersOf(files: Files, text: string, path: string): Promise<readonly string[]> {
  const config = parseConfig(text)
  const lists = await Promise.all(
    certificateLists(config).map(async (list) => [list, (await files.read(list)) ?? ''] as const),
  )
  const naming = lists.filter(([, content]) =>
    content.split('\n').some((line) => line.trim().split(/\s/)[0] === path),
  )
  return [...usersOfFile(config, path), ...naming.flatMap(([list]) => usersOfFile(config, list))]
}
