import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, withLock } from '../harness/cache.ts'
import { type Host, indexPackages } from '../harness/index.ts'
import { exists, must } from '../harness/outer.ts'
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

/** Path of the package, which is built once. */
async function builtPackage(): Promise<string> {
  const folder = join(cacheFolder(), 'downloads')
  const path = join(folder, 'second-php-1.deb')
  await mkdir(folder, { recursive: true })
  return withLock('downloads', 600_000, async () => {
    if (await exists(path)) return path
    await must(['bash', join(checkout, 'test/hosts/second-php.sh'), `${path}.new`], { timeoutMs: 600_000 })
    await rename(`${path}.new`, path)
    return path
  })
}
