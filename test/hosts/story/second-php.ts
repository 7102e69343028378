import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cacheFolder, withLock } from '../harness/cache.ts'
import { type Host, indexPackages } from '../harness/index.ts'
import { exists, must } from '../harness/outer.ts'
import { missingDownload, withTries } from '../harness/tries.ts'
import { checkout } from './guide.ts'

/** Adds a repository to the packages of a host that has PHP 7.4 besides the PHP of its distribution. */
export async function offerSecondPhp(host: Host): Promise<void> {
  const folder = 'opt/second-php'
  await mkdir(join(host.rootPath, folder), { recursive: true })
  await copyFile(await builtPackage(), join(host.rootPath, folder, 'php7.4-fpm.deb'))
  await indexPackages(join(host.rootPath, folder))
  const source = `deb [trusted=yes] file:/${folder} ./\n`
  await writeFile(join(host.rootPath, 'etc/apt/sources.list.d/second-php.list'), source)
}

const path = () => join(cacheFolder(), 'downloads', 'second-php-1.deb')

async function builtPackage(): Promise<string> {
  if (!(await exists(path()))) throw missingDownload('the package of PHP 7.4')
  return path()
}

/** Makes the package of what it downloads from Debian 11, once on a machine. */
export async function fetchSecondPhp(): Promise<void> {
  await withLock('downloads', 600_000, async () => {
    if (await exists(path())) return
    const build = ['bash', join(checkout, 'test/hosts/second-php.sh'), `${path()}.new`] as const
    await mkdir(dirname(path()), { recursive: true })
    await withTries('the package of PHP 7.4', () => must(build, { timeoutMs: 600_000 }))
    await rename(`${path()}.new`, path())
  })
}
