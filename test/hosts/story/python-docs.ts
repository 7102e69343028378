import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { debPackage } from '../harness/index.ts'
import { must } from '../harness/outer.ts'

/** A real website of about a thousand files: the manual of Python as Debian packs it. */
export interface PythonDocs {
  /** The folder whose content is published. */
  readonly folder: string
  /** Every file below it, as a path relative to it. */
  readonly files: readonly string[]
  /** The same as .tar.gz. */
  readonly archivePath: string
  remove(): Promise<void>
}

/** Unpacks the manual on the machine that runs the tests. Links whose target Debian keeps in another package are left out. */
export async function openPythonDocs(): Promise<PythonDocs> {
  const work = await mkdtemp(join(tmpdir(), 'hostreeve-python-docs-'))
  await must(['dpkg-deb', '-x', await debPackage('python3.11-doc'), work], { timeoutMs: 60_000 })
  const folder = join(work, 'usr/share/doc/python3.11/html')
  await dropDanglingLinks(folder)
  const archivePath = join(work, 'site.tar.gz')
  await must(['tar', '-C', folder, '-czhf', archivePath, '.'], { timeoutMs: 60_000 })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return { folder, files, archivePath, remove: () => rm(work, { recursive: true, force: true }) }
}

async function dropDanglingLinks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const leadsSomewhere = entry.isSymbolicLink()
      ? await stat(path).then(
          () => true,
          () => false,
        )
      : true
    if (!leadsSomewhere) await rm(path)
  }
}
