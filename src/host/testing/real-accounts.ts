import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openHost, type Host } from '../index.ts'
import { run, type Run } from '../run.ts'

/** What programs of the test may change. */
const folders = ['home', 'etc', 'var/mail', 'tmp', 'var/tmp', 'var/spool']

/** The real useradd and userdel on a separate /etc, /home and folders for all, in a separate pid namespace. */
export async function openRealAccounts(
  context: TestContext,
): Promise<{ host: Host; root: string } | undefined> {
  if (process.getuid?.() !== 0) return void context.skip('needs root')
  const root = await mkdtemp(join(tmpdir(), 'hu-'))
  context.after(() => rm(root, { recursive: true, force: true }))
  for (const name of folders) await mkdir(join(root, name), { recursive: true })
  for (const name of [
    'passwd',
    'group',
    'shadow',
    'gshadow',
    'login.defs',
    'nsswitch.conf',
    'subuid',
    'subgid',
    'skel',
    'pam.d',
    'security',
    'default',
  ]) {
    await cp(`/etc/${name}`, join(root, 'etc', name), { recursive: true, verbatimSymlinks: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      },
    )
  }
  const binds = folders.flatMap((name) => ['--bind', join(root, name), `/${name}`])
  const confined = [
    'bwrap',
    '--dev-bind',
    '/',
    '/',
    ...binds,
    '--proc',
    '/proc',
    '--unshare-pid',
    '--cap-add',
    'ALL',
    '--die-with-parent',
    '--',
  ] as const
  const inside: Run = (argv, options) => run([...confined, ...argv], options)
  if ((await inside(['true'])).code !== 0) return void context.skip('bubblewrap does not run here')
  return { root, host: openHost({ root, run: inside }) }
}
