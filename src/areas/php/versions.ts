import { change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { phpSites, phpVersionLock } from '../websites/index.ts'
import { type PhpArea, work } from './context.ts'
import { PhpPackages, type PhpVersions, VersionChoice } from './model.ts'
import { PackagesBusy, VersionInUse, VersionUnknown } from './problems.ts'

/** The installation and the settings of PHP for all websites. */
export const phpLock = singleLock('php')

const newestFirst = (one: string, other: string) => other.localeCompare(one, 'en', { numeric: true })

/** Returns the versions that are installed or available, with the websites that use them. */
export async function readVersions({ tool, packages, websites }: PhpArea): Promise<PhpVersions> {
  const [installed, inArchive, sites] = await Promise.all([
    tool.versions(),
    tool.inArchive(),
    phpSites(websites),
  ])
  const present = installed.length === 0 ? [] : await packages.installed()
  const versions = [...new Set([...installed, ...inArchive.keys()])].toSorted(newestFirst)
  return {
    versions: await Promise.all(
      versions.map(async (version) => {
        const isInstalled = installed.includes(version)
        const names = isInstalled
          ? ofVersion(present, version)
          : tool.usualPackages(version, inArchive.get(version) ?? [])
        return {
          version,
          installed: isInstalled,
          available: inArchive.has(version),
          package_version: isInstalled ? ((await packages.version(`php${version}-fpm`)) ?? null) : null,
          extensions: names
            .map((name) => name.slice(`php${version}-`.length))
            .filter((name) => name !== 'fpm'),
          websites: sites.filter((site) => site.version === version).length,
        }
      }),
    ),
  }
}

const ofVersion = (names: readonly string[], version: string) =>
  names.filter((name) => name.startsWith(`php${version}-`))

/** Installs php-fpm of a version with the usual extensions that the packages of the host have, and starts it. */
export const installing = work({
  kind: 'php.install',
  input: VersionChoice,
  reply: PhpPackages,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  single: PackagesBusy,
  decide: async ({ input: { version }, signal, php: { tool, packages, programSteps } }) => {
    let names = (await tool.inArchive()).get(version)
    if (names === undefined) {
      await packages.refresh({ signal })
      names = (await tool.inArchive()).get(version)
    }
    if (names === undefined) throw VersionUnknown(`version: the packages of this host have no PHP ${version}`)
    const chosen = tool.usualPackages(version, names)
    return change({
      summary: `Install PHP ${version}`,
      locks: [phpLock, phpVersionLock(version)],
      steps: [
        step(programSteps.installPackages, { packages: chosen, dataDirectories: [] }),
        step(tool.steps.switchService, { version, verb: 'enable' }),
        step(tool.steps.switchService, { version, verb: 'start' }),
      ],
      reply: { version, packages: [...chosen] },
    })
  },
})

/** Removes the packages of a version that no website uses. Its configuration stays. */
export const removing = work({
  kind: 'php.remove',
  input: VersionChoice,
  reply: PhpPackages,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  single: PackagesBusy,
  decide: async ({ input: { version }, php }) => {
    await assertInstalled(php, version)
    await assertUnused(php, version)
    const packages = ofVersion(await php.packages.installed(), version)
    return change({
      summary: `Remove PHP ${version}`,
      locks: [phpLock, phpVersionLock(version)],
      steps: [step(php.tool.steps.removePackages, { version, packages })],
      reply: { version, packages },
    })
  },
})

/** Fails with 400 unless a version is installed. */
export async function assertInstalled({ tool }: Pick<PhpArea, 'tool'>, version: string): Promise<void> {
  const installed = await tool.versions()
  if (!installed.includes(version))
    throw VersionUnknown(
      `version: PHP ${version} is not installed; installed: ${installed.join(', ') || 'none'}`,
    )
}

async function assertUnused({ websites }: PhpArea, version: string): Promise<void> {
  const users = (await phpSites(websites)).filter((site) => site.version === version)
  if (users.length === 0) return
  const named = users.slice(0, 5).map(({ domain }) => domain)
  const more = users.length > named.length ? ` and ${users.length - named.length} more` : ''
  throw VersionInUse(
    `version: PHP ${version} is used by ${named.join(', ')}${more}: give them another version first`,
  )
}
