import type { Host } from '../../host/index.ts'

/** What WordPress, Laravel and their like ask for, as far as the archive has it. */
const usual =
  `bcmath cli curl gd imagick intl mbstring mysql opcache pgsql readline redis soap sqlite3 xml zip`.split(
    ' ',
  )

const limits = { timeoutMs: 20_000, maxBytes: 4 * 1024 * 1024 }

/** Returns the packages of PHP that the package lists have, by version. */
export async function packagesInArchive({
  run,
}: Pick<Host, 'run'>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { code, stdout } = await run(
    ['apt-cache', 'search', '--names-only', '--', '^php[0-9]+\\.[0-9]+-'],
    limits,
  )
  if (code !== 0) return new Map()
  const names = [...stdout.matchAll(/^(php\d\.\d{1,2}-[a-z0-9+.-]+) /gm)].map(([, name = '']) => name)
  const byVersion = Map.groupBy(names, (name) => name.slice('php'.length, name.indexOf('-')))
  for (const [version, found] of byVersion)
    if (!found.includes(`php${version}-fpm`)) byVersion.delete(version)
  return byVersion
}

/** Chooses php-fpm and the usual extensions of a version. */
export const usualPackages = (version: string, inArchive: readonly string[]): readonly string[] =>
  [`php${version}-fpm`, ...usual.map((each) => `php${version}-${each}`)].filter((name) =>
    inArchive.includes(name),
  )
