import type { ByteString } from './calls.ts'
import { runTool } from './tool.ts'
import type { CallRun } from './session.ts'

// cp opens what it takes the rights from, and neither file loses a byte.
const cp = ['/usr/bin/cp', '--attributes-only', '--preserve=mode,xattr', '--no-target-directory', '--']

/**
 * Gives a file the access control list and the extended attributes of the one that it is to replace. Its mode alone would do harm: of a file with
 * a list the bits of the group are the mask, which bounds what the list grants, and not what the group may.
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
