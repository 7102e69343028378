import { execFile } from 'node:child_process'
import { chownSync, existsSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Owner } from '../../../src/host/owner/index.ts'
import { makeFlat, makeTree } from '../archives/tree.ts'
import { type Figure, median } from '../figures.ts'
import { makeHome, needsRoot } from '../homes.ts'
import { shippedOwners } from '../shipped.ts'

const exec = promisify(execFile)
const word = 'a word that stands once'

/** Searches of a home through the confined program, as ratios to the programs of the host alone. */
export async function measureSearch(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('searching homes') || !existsSync('/usr/bin/rg')) return []
  const home = makeHome()
  const owners = shippedOwners()
  const owner = owners.of({ name: 'bench', uid: home.uid, gid: home.uid, home: home.path })
  const run = (program: string, ...args: string[]) =>
    exec(program, args, { cwd: home.path, maxBuffer: 64 * 1024 * 1024, timeout: 60_000 })
  try {
    const { bytes } = makeTree(home, 'tree', isShort ? 4000 : 12_000)
    makeFlat(home, 'flat', isShort ? 5000 : 30_000)
    writeFileSync(`${home.path}/tree/marked.txt`, `before\n${word}\n`)
    chownSync(`${home.path}/tree/marked.txt`, home.uid, home.uid)
    await expectOne(owner)
    const rounds = isShort ? 5 : 9
    const lines = await pairs(rounds, {
      tool: () => run('rg', '-uu', '-i', '-n', '-F', word, '.'),
      own: () => owner.search('', word, { content: true }),
    })
    const names = await pairs(rounds, {
      tool: () => run('find', '.', '-iname', '*entry-77*'),
      own: () => owner.search('', 'entry-77', { limit: 10_000 - 1 }),
    })
    return [
      {
        ...lines,
        what: `search of ${(bytes / 1e6).toFixed(0)} MB for lines / rg alone`,
        bound: 1.3,
        loose: 2,
      },
      { ...names, what: 'search for names / find alone', bound: 3, loose: 5 },
    ]
  } finally {
    await owners.close()
    home.remove()
  }
}

async function expectOne(owner: Owner): Promise<void> {
  const { items } = await owner.search('', word, { content: true })
  if (items.length !== 1) throw new Error(`found ${items.length} lines instead of one`)
}

interface Compared {
  readonly tool: () => Promise<unknown>
  readonly own: () => Promise<unknown>
}

/** The median ratio of several rounds, after a warm-up round. */
async function pairs(
  rounds: number,
  { tool, own }: Compared,
): Promise<{ value: number; unit: string; detail: string }> {
  const measured: { readonly tool: number; readonly own: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const pair = { tool: await timed(tool), own: await timed(own) }
    if (round > 0) measured.push(pair)
  }
  const [ours, theirs] = [median(measured.map((pair) => pair.own)), median(measured.map((pair) => pair.tool))]
  return {
    value: median(measured.map((pair) => pair.own / pair.tool)),
    unit: 'x',
    detail: `${ours.toFixed(0)} against ${theirs.toFixed(0)} ms`,
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
