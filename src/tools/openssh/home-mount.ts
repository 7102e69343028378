import { dirname } from 'node:path'
import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { type AccountAccess, homeMount, rootOf } from './drop-in.ts'
import { SshdRefused } from './problems.ts'

type MountHost = Pick<Host, 'run' | 'files'>
type Home = Pick<AccountAccess, 'username' | 'home'>

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }

/** Mounts the home of an account below the root of its SFTP sessions, now and at each start of the host. */
export async function mountHome({ run, files }: MountHost, home: Home): Promise<void> {
  const { name, path, content } = homeMount(home)
  await files.makeDirectory(dirname(rootOf(home.username)), { uid: 0, gid: 0, mode: 0o755 })
  await files.makeDirectory(rootOf(home.username), { uid: 0, gid: 0, mode: 0o755 })
  await files.write(path, content)
  await systemctl(run, 'daemon-reload')
  await systemctl(run, 'enable', '--now', '--', name)
}

/** Takes the mount away, with the empty directories of its root. */
export async function unmountHome({ run, files }: MountHost, home: Home): Promise<void> {
  const { name, path } = homeMount(home)
  if ((await files.facts(path)) === undefined) return removeRoot(files, home)
  await systemctl(run, 'disable', '--now', '--', name)
  await files.remove(path)
  await systemctl(run, 'daemon-reload')
  await removeRoot(files, home)
}

/** Only empty directories: what is mounted there is never touched. */
async function removeRoot(files: Host['files'], { username, home }: Home): Promise<void> {
  const root = rootOf(username)
  for (let each = `${root}${home}`; each.length >= root.length; each = dirname(each))
    if (!(await files.removeDirectory(each))) return
}

async function systemctl(run: Host['run'], ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(['systemctl', ...args], limits)
  if (code === 127) throw Unavailable('SFTP without a shell needs systemd, which mounts the home for it')
  if (code !== 0) throw SshdRefused(`systemctl ${args[0]}: ${stderr.trim().slice(0, 1000)}`)
}
