import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootBare, debPackage, startPanel } from '../harness/index.ts'
import type { Host, Panel } from '../harness/index.ts'
import { must } from '../harness/outer.ts'
import { SignedIn } from './signed-in.ts'
import type { Owner } from './signed-in.ts'

/** The manuals by the folder that they are unpacked to: 1,000 files of 70 MB and 15,000 files of 200 MB. */
const packages = { python: 'python3.11-doc', linux: 'linux-doc-6.1' } as const
type Manual = keyof typeof packages

/** The folder of the pages within the manual of Python. */
export const pagesOfPython = 'usr/share/doc/python3.11/html'

/** A host on which manuals lie in the home of ada: unpacked by dpkg, and as the archives that dpkg unpacks. */
export class Manuals {
  readonly host: Host
  readonly panel: Panel
  readonly ada: Owner

  private constructor(panel: Panel, ada: Owner) {
    this.host = panel.host
    this.panel = panel
    this.ada = ada
  }

  static async unpack(hostName: string, manuals: readonly Manual[]): Promise<Manuals> {
    const panel = await startPanel(await bootBare(hostName))
    const made = new Manuals(panel, await (await SignedIn.as(panel)).makeOwner('ada'))
    for (const manual of manuals) await made.#unpack(manual)
    const own = 'chown -R ada:ada /home/ada && chmod u+w -R /home/ada'
    await made.host.must(['sh', '-c', own], { timeoutMs: 120_000 })
    return made
  }

  /** A path in the home of ada as this machine sees it. */
  home(...parts: string[]): string {
    return join(this.host.rootPath, 'home/ada', ...parts)
  }

  /** Asks the files of ada for a change that must succeed. */
  post(verb: string, body: object): Promise<any> {
    return this.ada.signedIn.must('POST', `/api/filemanager/${verb}`, { username: 'ada', ...body })
  }

  asAda(...argv: [string, ...string[]]) {
    const account = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
    return this.host.must([...account, ...argv], { timeoutMs: 120_000 })
  }

  /** Extracts the archive of a manual through the panel, and asserts that dpkg unpacked the same. */
  async assertExtracted(manual: Manual): Promise<void> {
    await this.post('extract', { archive_path: `${manual}.tar`, dst_path: `from-${manual}` })
    const [extracted, unpacked] = await Promise.all(
      [`from-${manual}`, manual].map((folder) => described(this.home(folder))),
    )
    assert.deepEqual(timeless(extracted!), timeless(unpacked!))
  }

  async #unpack(manual: Manual): Promise<void> {
    const deb = await debPackage(packages[manual])
    const archive = this.home(`${manual}.tar`)
    const toArchive = ['sh', '-c', 'dpkg-deb --fsys-tarfile "$1" >"$2"', 'sh'] as const
    await must([...toArchive, deb, archive], { timeoutMs: 60_000 })
    await mkdir(this.home(manual))
    // as `dpkg-deb --extract` does, which would decompress the package once more
    const extract = ['tar', '-x', '-p', '--warning=no-timestamp', '-f', archive, '-C'] as const
    await must([...extract, this.home(manual)], { timeoutMs: 60_000 })
  }
}

// dpkg makes links last, so that their folders have new times
function timeless(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/ d (\d+) \d+$/, ' d $1'))
}

/** Every entry of a folder with kind, mode, time and target, and one digest of all bytes. */
export async function described(folder: string): Promise<readonly string[]> {
  const links = ['-type', 'l', '-printf', '%P %l\\n'] as const
  const others = ['-printf', '%P %y %m %Ts\\n'] as const
  const listing = await must(['find', folder, '-mindepth', '1', ...links, '-o', ...others])
  const sums = 'cd "$1" && find . -type f -print0 | sort -z | xargs -0 -r sha256sum >"$2"'
  const files = await must(['sh', '-c', sums, 'sh', folder, `${folder}.sums`], { timeoutMs: 120_000 })
  assert.equal(files.stderr, '')
  const digest = createHash('sha256')
    .update(await readFile(`${folder}.sums`))
    .digest('hex')
  await must(['rm', `${folder}.sums`])
  return [...listing.stdout.split('\n').toSorted(), digest]
}
