import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { checkoutPathInHost, type Host } from '../harness/index.ts'
import { ensureBuilt, findBuilt } from '../harness/built.ts'

const version = '7.0.4'
const recipe = [version] as const

/** Fetches PM2 from npm, once on a machine. */
export async function fetchPm2(): Promise<void> {
  await ensureBuilt('pm2', recipe, build)
}

/** Installs PM2 and Node.js on a host, as `npm install --global` leaves them. */
export async function installPm2(host: Host): Promise<void> {
  const modules = join(await findBuilt('pm2', recipe), 'node_modules')
  const target = join(host.rootPath, 'usr/local/lib/node_modules')
  await cp(modules, target, { recursive: true, verbatimSymlinks: true })
  const node = '/usr/local/bin/node'
  await host.must(['cp', '--dereference', `${checkoutPathInHost}/node_modules/.bin/node`, node])
  await host.must(['chmod', '755', node])
  await host.must(['chmod', '--recursive', 'a+rX', '/usr/local/lib/node_modules'])
}

async function build(folder: string): Promise<void> {
  const env = { ...process.env, npm_config_update_notifier: 'false' }
  const argv = [
    'npm',
    'install',
    `--prefix=${folder}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `pm2@${version}`,
  ] as const
  const { code, stderr } = await run(argv, { cwd: folder, env, timeoutMs: 300_000 })
  if (code !== 0) throw new Error(`PM2 cannot be fetched: ${stderr.slice(-2000)}`)
}
