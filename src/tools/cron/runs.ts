import type { Account } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import { maxOutputBytes, parseRunName, type RunName, runsFolder } from './recorder.ts'

type Owner = Pick<Account, 'uid' | 'gid' | 'home'>

const limits = { timeoutMs: 10_000, maxBytes: maxOutputBytes }
const folderOf = (home: string, siteId: number) => `${home}/${runsFolder}/${siteId}`

/** Lists the runs that are kept of a website, the latest first; read under the uid of its owner. */
export async function listRuns(
  { run }: Pick<Host, 'run'>,
  siteId: number,
  { uid, gid, home }: Owner,
): Promise<readonly RunName[]> {
  const argv = ['find', folderOf(home, siteId), '-maxdepth', '1', '-type', 'f', '-printf', '%f\\n'] as const
  const { code, stdout } = await run(argv, { ...limits, as: { uid, gid } })
  if (code !== 0) return [] // nothing has run yet
  return stdout
    .split('\n')
    .flatMap((name) => parseRunName(name) ?? [])
    .toSorted((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
}

/** Reads what a run printed, under the uid of its owner. */
export async function readOutput(
  { run }: Pick<Host, 'run'>,
  siteId: number,
  { uid, gid, home }: Owner,
  name: string,
): Promise<string> {
  const argv = ['head', '-c', String(maxOutputBytes), '--', `${folderOf(home, siteId)}/${name}`] as const
  return (await run(argv, { ...limits, as: { uid, gid } })).stdout
}
