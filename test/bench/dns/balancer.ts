import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseName, emptyBalancer, type DomainList } from '../../../src/tools/dnsdist/balancer.ts'
import { cdbOf } from '../../../src/tools/dnsdist/cdb.ts'
import { renderBalancer } from '../../../src/tools/dnsdist/render.ts'
import { type ScratchDnsdist, startScratchDnsdist } from '../../../src/tools/dnsdist/testing/scratch.ts'
import { wireName } from '../../../src/tools/dnsdist/wire-name.ts'
import { type Figure, median } from '../figures.ts'

/** A million blocked names in a real dnsdist, where it is installed: what loading them costs, and what each query does. */
export async function measureBalancer(isShort: boolean): Promise<readonly Figure[]> {
  if (spawnSync('dnsdist', ['--version']).error !== undefined) {
    process.stderr.write('Left out: the DNS balancer, as dnsdist is not installed\n')
    return []
  }
  const names = isShort ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'hostreeve-bench-dnsdist-'))
  try {
    const list = listOf(names)
    const path = join(folder, databaseName(list))
    writeFileSync(path, cdbOf(list.domains.split('\n').map((name) => wireName(name)!)))
    const rules = renderBalancer({ ...emptyBalancer, domainLists: [list] }, folder)
    const { dnsdist: own, ms } = await started(rules)
    const mebibytes = residentKib(own.pid) / 1024
    const { dnsdist: reference } = await started(byHand(path))
    const { value, detail } = await speed(own, reference, isShort ? 10 : 40)
    await own.stop()
    await reference.stop()
    return [
      { what: `start of dnsdist with ${names} blocked names`, value: ms / 1000, unit: 's', bound: 2 },
      { what: `memory of dnsdist with ${names} blocked names`, value: mebibytes, unit: 'MiB', bound: 100 },
      {
        what: `queries per second of dnsdist with ${names} blocked names, of those by hand`,
        ...{ value, detail, unit: 'of it', bound: 0.95, isMinimum: true, loose: 0.8 },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const listOf = (names: number): DomainList => ({
  name: 'many',
  action: 'block',
  domains: Array.from({ length: names }, (_each, at) => `n${at}.d${at % 9973}.example`).join('\n'),
})

/** The same names as somebody writes them who has the database, without the rest of the panel. */
const byHand = (path: string): string => `
local names = newCDBKVStore("${path}", 0)
addAction(KeyValueStoreLookupRule(names, KeyValueLookupKeySuffix(2, true)), RCodeAction(DNSRCode.NXDOMAIN))
`

async function started(rules: string) {
  const startedAt = performance.now()
  const dnsdist = await startScratchDnsdist(rules)
  return { dnsdist, ms: performance.now() - startedAt }
}

const residentKib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Asks both in turns, so that a busy machine slows both down. */
async function speed(own: ScratchDnsdist, reference: ScratchDnsdist, rounds: number) {
  const spent = { own: [] as number[], reference: [] as number[] }
  for (let round = -2; round < rounds; round++)
    for (const [name, dnsdist] of [
      ['own', own],
      ['reference', reference],
    ] as const) {
      const startedAt = performance.now()
      for (let batch = 0; batch < 10; batch++) await dnsdist.askTogether(100)
      if (round >= 0) spent[name].push(performance.now() - startedAt)
    }
  const [ownMs, referenceMs] = [median(spent.own), median(spent.reference)]
  return {
    value: referenceMs / ownMs,
    detail: `${ownMs.toFixed(1)} ms and ${referenceMs.toFixed(1)} ms per 1000 queries`,
  }
}
