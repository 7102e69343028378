import { appendFile, mkdir, writeFile } from 'node:fs/promises'
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
  readonly #path: string

  private constructor(host: Host, path: string) {
    this.#host = host
    this.#path = path
  }

  /** The label is what apt shows as the source. */
  static async make(host: Host, name: string, label: string): Promise<DebArchive> {
    const path = `/srv/${name}`
    const folder = join(host.rootPath, path)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'Release'), `Origin: Tests\nLabel: ${label}\nSuite: ${name}\nVersion: 12\n`)
    const sources = join(host.rootPath, 'etc/apt/sources.list.d')
    await mkdir(sources, { recursive: true })
    await appendFile(join(sources, 'tests.list'), `deb [trusted=yes] file:${path} ./\n`)
    await indexPackages(folder)
    return new DebArchive(host, path)
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
    await this.#host.must(['dpkg-deb', '--build', '/root/tree', this.#path])
    await indexPackages(join(this.#host.rootPath, this.#path))
  }
}
