import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bootHost, poll, startPanel } from '../harness/index.ts'
import type { Host, Panel } from '../harness/index.ts'
import { type Answer, SignedIn } from './signed-in.ts'

/** The file with the password of the database server, which only root can read. */
export const credentials = '/root/.hostreeve-mariadb.cnf'

/** Files by which the progress of dpkg is seen from outside. */
export const moments = {
  'unpacks a package': '/usr/sbin/mariadbd.dpkg-new',
  'unpacks further packages': '/usr/sbin/mariadbd',
  'sets up the server': '/var/lib/mysql/ibdata1',
} as const

/** A host without MariaDB, on which the panel installs it. */
export class MariadbInstallation {
  readonly host: Host
  readonly panel: Panel
  readonly admin: SignedIn

  private constructor(panel: Panel, admin: SignedIn) {
    this.host = panel.host
    this.panel = panel
    this.admin = admin
  }

  static async prepare(hostName: string): Promise<MariadbInstallation> {
    const host = await bootHost(hostName, { image: 'mariadb', without: ['mariadb-server'] })
    await rm(join(host.rootPath, 'var/lib/mysql'), { recursive: true })
    const panel = await startPanel(host)
    const installation = new MariadbInstallation(panel, await SignedIn.as(panel))
    assert.equal(await installation.assertWhole(), 'removed')
    return installation
  }

  /** Asks the panel for the installation; returns any reply. */
  install(body: object = {}): Promise<Answer> {
    return this.admin.ask('POST', '/api/sqldb/install', body)
  }

  isThere(path: string): boolean {
    return existsSync(join(this.host.rootPath, path))
  }

  /** Waits until dpkg has come this far. */
  async untilThere(path: string): Promise<void> {
    const limit = performance.now() + 60_000
    while (!this.isThere(path)) {
      assert.ok(performance.now() < limit, 'dpkg did not come so far')
      await nextTurn() // a moment may be shorter than a poll
    }
  }

  /** Waits until the latest installation has ended. */
  async untilEnded(): Promise<void> {
    await poll('the job to end', 60_000, async () => {
      const { state } = await this.admin.latestJob('sqldb.install')
      return ['queued', 'running'].includes(state) ? undefined : true
    })
  }

  /** The latest installation in the activity. */
  async lastEntry(): Promise<{ readonly status: string; readonly message: string }> {
    const { items } = await this.admin.must('GET', '/api/activity?sort=-id')
    return items.find(({ action }: { readonly action: string }) => action === 'sqldb_install')
  }

  /** Asserts that no package is half installed, and that the server runs or left nothing; says which. */
  async assertWhole(): Promise<'installed' | 'removed'> {
    assert.equal((await this.host.must(['dpkg', '--audit'])).stdout, '')
    const format = '--showformat=${db:Status-Status} ${Package}\n'
    const { stdout } = await this.host.must(['dpkg-query', '--show', format])
    const packages = stdout.trim().split('\n')
    const half = packages.filter((line) => !/^(installed|config-files) /.test(line))
    assert.deepEqual(half, [])
    const { installed, running } = await this.admin.must('GET', '/api/sqldb/status')
    assert.equal(running, installed)
    if (installed) return 'installed'
    const left = packages.filter((line) => /^installed .*(mariadb|galera)/.test(line))
    assert.deepEqual(left, [])
    for (const path of ['/usr/sbin/mariadbd', '/var/lib/mysql', credentials])
      assert.ok(!this.isThere(path), path)
    return 'removed'
  }
}
