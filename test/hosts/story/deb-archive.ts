import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Host, indexPackages } from '../harness/index.ts'

interface DebDraft {
  readonly name: string
  readonly version: string
  /** The script that dpkg runs when it sets the package up. */
  readonly postinst?: string
  /** The content of its configuration file, `/etc/NAME.conf`. */
  readonly configuration?: string
}

/** An archive of packages on a host, which is among the sources of its apt. */
export class DebArchive {
  readonly #host: Host
  readonly #name: string
  readonly #label: string

  private constructor(host: Host, name: string, label: string) {
    this.#host = host
    this.#name = name
    this.#label = label
  }

  /** The name is that of its suite, the label what apt shows as the source. */
  static async make(host: Host, name: string, label: string): Promise<DebArchive> {
    const archive = new DebArchive(host, name, label)
    await mkdir(archive.#folder, { recursive: true })
    const sources = join(host.rootPath, 'etc/apt/sources.list.d')
    await mkdir(sources, { recursive: true })
    // `copy:` keeps lists as those of a distant archive are kept; `file:` would read them anew each time
    await appendFile(join(sources, 'tests.list'), `deb [trusted=yes] copy:/srv/${name} ./\n`)
    await archive.#index()
    return archive
  }

  /** Builds a package and adds it to the archive. */
  async publish({ name, version, postinst, configuration }: DebDraft): Promise<void> {
    const tree = join(this.#host.rootPath, 'root/tree')
    await this.#host.must(['rm', '-rf', '/root/tree'])
    await mkdir(join(tree, 'DEBIAN'), { recursive: true })
    const control = [
      `Package: ${name}`,
      `Version: ${version}`,
      'Architecture: all',
      'Maintainer: Tests <tests@hosts.test>',
      'Description: a package to test with',
    ]
    await writeFile(join(tree, 'DEBIAN/control'), `${control.join('\n')}\n`)
    if (postinst !== undefined)
      await writeFile(join(tree, 'DEBIAN/postinst'), `#!/bin/sh\nset -e\n${postinst}\n`, { mode: 0o755 })
    if (configuration !== undefined) {
      await mkdir(join(tree, 'etc'))
      await writeFile(join(tree, `etc/${name}.conf`), configuration)
      await writeFile(join(tree, 'DEBIAN/conffiles'), `/etc/${name}.conf\n`)
    }
    await this.#host.must(['dpkg-deb', '--build', '/root/tree', `/srv/${this.#name}`])
    await this.#index()
  }

  get #folder(): string {
    return join(this.#host.rootPath, 'srv', this.#name)
  }

  async #index(): Promise<void> {
    await indexPackages(this.#folder)
    const packages = await readFile(join(this.#folder, 'Packages'))
    const digest = createHash('sha256').update(packages).digest('hex')
    const release = [
      'Origin: Tests',
      `Label: ${this.#label}`,
      `Suite: ${this.#name}`,
      'Version: 12',
      `Date: ${new Date().toUTCString()}`,
      'SHA256:',
      ` ${digest} ${packages.length} Packages`,
    ]
    await writeFile(join(this.#folder, 'Release'), `${release.join('\n')}\n`)
  }
}
