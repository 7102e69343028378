import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { countersIn } from './listing.ts'
import { checkText, listTable, loadText } from './nft.ts'
import { digestIn } from './render-table.ts'
import { ownTable } from './rule.ts'

type NftHost = Pick<Host, 'run' | 'files'>

export interface LoadTableArgs {
  /** The text of the table, as `renderTable` makes it; null removes the table. */
  readonly text: string | null
}

interface TableState {
  readonly text: string
}

const folder = '/run/hostreeve-firewall'
/** The file that is loaded when the host starts. */
export const bootFile = '/etc/hostreeve/firewall.nft'
const keptFile = (text: string): string => `${folder}/${digestIn(text) ?? 'other'}.nft`
const removal = `add table inet ${ownTable}; delete table inet ${ownTable}`

/** Returns the text of which the live table was made; undefined if there is no table. */
export async function readTable(host: NftHost): Promise<string | undefined> {
  const live = await listTable(host, ownTable)
  if (live === undefined) return undefined
  const digest = digestIn(live)
  for (const path of digest === undefined ? [] : [`${folder}/${digest}.nft`, bootFile]) {
    const text = await host.files.read(path)
    if (text !== undefined && digestIn(text) === digest) return text
  }
  return `${removal.replace('; ', '\n')}\n${live}`
}

/** The step that replaces the panel's table in the kernel, or removes it. */
export function loadTable(host: NftHost): StepKind<LoadTableArgs, Was<TableState>, null> {
  return stateStep<LoadTableArgs, TableState>({
    name: 'nftables.load-table',
    plan: async ({ text }) => ({
      title: text === null ? `Remove the table inet ${ownTable}` : `Load the table inet ${ownTable}`,
      files: diffOf(await readTable(host), text ?? undefined),
      commands: [text === null ? ['nft', removal] : ['nft', '-f', keptFile(text)]],
    }),
    changed: (_args, was, wanted) => ({ files: diffOf(was?.text, wanted?.text) }),
    read: async () => {
      const text = await readTable(host)
      return text === undefined ? undefined : { text }
    },
    wanted: ({ text }) => (text === null ? undefined : { text }),
    refuse: async ({ text }) => (text === null ? undefined : checkText(host, text)),
    write: async (_args, state, { now }) => {
      if (now !== undefined) await keep(host, now.text) // the undo without the panel loads it
      if (state === undefined) return loadText(host, `${removal.replace('; ', '\n')}\n`)
      await keep(host, state.text)
      await loadText(host, withCounters(state.text, (await listTable(host, ownTable)) ?? ''))
      await forgetOthers(host, [state.text, now?.text ?? state.text])
    },
    armed: (_args, was) =>
      was === undefined ? ['nft', removal] : ['nft', '-f', host.files.real(keptFile(was.text))],
    notUndone: 'rules that could lock you out are confirmed: change them under Firewall',
  })
}

async function keep({ files }: NftHost, text: string): Promise<void> {
  await files.makeDirectory(folder, { mode: 0o700 })
  await files.write(keptFile(text), text, { rights: { mode: 0o600 } })
}

/** Only the table in the kernel and the one before it are loaded again. */
async function forgetOthers({ files }: NftHost, texts: readonly string[]): Promise<void> {
  const kept = new Set(texts.map(keptFile))
  const paths = (await files.list(folder)).map((name) => `${folder}/${name}`)
  for (const path of paths) if (!kept.has(path)) await files.remove(path)
}

function diffOf(was: string | undefined, wanted: string | undefined) {
  const diff = unifiedDiff('nftables', was, wanted ?? '')
  return diff === '' ? [] : [{ path: `inet ${ownTable}`, diff }]
}

/** Rules that stay keep what they have counted. */
function withCounters(text: string, live: string): string {
  const counters = countersIn(live.split('\n'))
  return text.replaceAll(/^.*\bcounter\b.* ?comment "([^"]*)"$/gm, (line, comment: string) => {
    const counter = counters.get(comment)
    if (counter === undefined) return line
    return line.replace(/\bcounter\b/, `counter packets ${counter.packets} bytes ${counter.bytes}`)
  })
}
