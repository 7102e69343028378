import type { ByteString } from './calls.ts'
import { runTool } from './tool.ts'
import type { CallRun } from './session.ts'

// cp opens the file that it copies the rights from; neither file loses a byte.
const cp = ['/usr/bin/cp', '--attributes-only', '--preserve=mode,xattr', '--no-target-directory', '--']

/**
 * Copies the access control list and the extended attributes of the file that is to be replaced. The mode alone would do harm: with a
 * list, the group bits are the mask, which bounds the rights that the list grants, and not the rights of the group.
 */
export async function takeRights(from: ByteString, to: ByteString, run: CallRun): Promise<void> {
  const [source, target] = [from, to].map((path) => (path.startsWith('/') ? path : `./${path}`))
  await runTool(
    'xargs',
    ['--null', '--', ...cp],
    { input: Buffer.from(`${source}\0${target}\0`, 'latin1') },
    run,
  )
}
