import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Owner, Owners } from '../../../src/host/owner/index.ts'
import { type Figure, median } from '../figures.ts'
import { type Home, makeHomeInMemory, needsRoot } from '../homes.ts'
import { shippedOwners } from '../shipped.ts'
import { makeFlat, makeTree } from './tree.ts'

const exec = promisify(execFile)

interface Format {
  readonly ending: string
  readonly pack: readonly [string, ...string[]]
  readonly unpack: readonly [string, ...string[]]
}

const formats: readonly Format[] = [
  { ending: 'zip', pack: ['zip', '-qry', 'tool', 'tree'], unpack: ['unzip', '-q', '../tool'] },
  { ending: 'tar.gz', pack: ['tar', '-czf', 'tool', 'tree'], unpack: ['tar', '-xzf', '../tool'] },
  {
    ending: 'tar.zst',
    pack: ['tar', '--zstd', '-cf', 'tool', 'tree'],
    unpack: ['tar', '--zstd', '-xf', '../tool'],
  },
  {
    ending: 'tar.xz',
    pack: ['tar', '-I', 'xz -T0', '-cf', 'tool', 'tree'],
    unpack: ['tar', '-xJf', '../tool'],
  },
  {
    ending: '7z',
    pack: ['7zz', 'a', '-bso0', '-bsp0', '-snl', 'tool', 'tree'],
    unpack: ['7zz', 'x', '-bso0', '-bsp0', '../tool'],
  },
]

/** Formats that are packed for half a minute a round: once is enough to see that nothing went wrong. */
const slow = new Set(['tar.xz', '7z'])

/** Work on a home through the confined program, as ratios to the programs of the host alone. */
export async function measureArchives(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('working in homes')) return []
  const home = makeHomeInMemory()
  const owners = shippedOwners()
  const bench = {
    home,
    owners,
    owner: owners.of({ name: 'bench', uid: home.uid, gid: home.uid, home: home.path }),
    isShort,
  }
  try {
    const { bytes } = makeTree(home, 'tree', isShort ? 1000 : 4000)
    const figures: Figure[] = []
    for (const format of formats) figures.push(...(await measureFormat(bench, format, bytes)))
    return [...figures, await measureDirsize(bench), await measureList(bench), ...(await measureStart(bench))]
  } finally {
    await owners.close()
    home.remove()
  }
}

interface Bench {
  readonly home: Home
  readonly owners: Owners
  readonly owner: Owner
  readonly isShort: boolean
}

async function measureFormat(
  bench: Bench,
  { ending, pack, unpack }: Format,
  bytes: number,
): Promise<readonly Figure[]> {
  const { home, owner, isShort } = bench
  const named = pack.map((word) => (word === 'tool' ? `tool.${ending}` : word)) as [string, ...string[]]
  const from = unpack.map((word) => (word === '../tool' ? `../tool.${ending}` : word)) as [
    string,
    ...string[],
  ]
  const rounds = isShort ? 3 : 5
  const packing = await pairs(isShort && slow.has(ending) ? 1 : rounds, {
    before: () => clear(home, [`tool.${ending}`, `own.${ending}`]),
    tool: () => run(home.path, named),
    own: () => owner.archives.compress(['tree'], `own.${ending}`),
  })
  const unpacking = await pairs(rounds, {
    before: async () => {
      await clear(home, ['by-tool', 'by-us'])
      await exec('install', ['-d', '-o', String(home.uid), '-g', String(home.uid), `${home.path}/by-tool`])
    },
    tool: () => run(`${home.path}/by-tool`, from),
    own: () => owner.archives.extract(`own.${ending}`, 'by-us'),
  })
  await clear(home, ['by-tool', 'by-us', `tool.${ending}`, `own.${ending}`])
  const size = `of ${(bytes / 1e6).toFixed(0)} MB`
  return [
    { ...packing, what: `compress ${size} to ${ending} / ${pack[0]} alone`, bound: 1.2, loose: 2 },
    { ...unpacking, what: `extract ${size} from ${ending} / ${unpack[0]} alone`, bound: 1.5, loose: 4 },
  ]
}

async function measureDirsize({ home, owner, isShort }: Bench): Promise<Figure> {
  const files = isShort ? 5000 : 30_000
  makeFlat(home, 'flat', files)
  const figure = await pairs(7, {
    tool: () => run(home.path, ['du', '-sb', 'flat']),
    own: () => owner.dirsize('flat'),
  })
  await clear(home, ['flat'])
  return { ...figure, what: `dirsize of ${files.toLocaleString('en')} files / du -sb`, bound: 1.5, loose: 3 }
}

async function measureList({ home, owner }: Bench): Promise<Figure> {
  makeFlat(home, 'many', 10_000)
  const figure = await pairs(7, {
    tool: () => run(home.path, ['ls', '-la', 'many']),
    own: () => owner.list('many', { perPage: 10_000, showHidden: true }),
  })
  return { ...figure, what: 'list of 10,000 entries / ls -la', bound: 3, loose: 5 }
}

async function measureStart({ home, isShort }: Bench): Promise<readonly Figure[]> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < (isShort ? 5 : 15); round++) {
    const owners = shippedOwners()
    const owner = owners.of({ name: 'bench', uid: home.uid, gid: home.uid, home: home.path })
    cold.push(await timed(() => owner.stat('')))
    for (let call = 0; call < 20; call++) warm.push(await timed(() => owner.stat('')))
    await owners.close()
  }
  return [
    { what: 'first operation of a cold owner', value: median(cold), unit: 'ms', bound: 200, loose: 600 },
    { what: 'an operation of a warm owner', value: median(warm), unit: 'ms', bound: 5, loose: 15 },
  ]
}

interface Compared {
  readonly before?: () => Promise<unknown>
  readonly tool: () => Promise<unknown>
  readonly own: () => Promise<unknown>
}

/** The median ratio of several rounds, after a warm-up round. */
async function pairs(
  rounds: number,
  { before, tool, own }: Compared,
): Promise<{ value: number; unit: string; detail: string }> {
  const measured: { readonly tool: number; readonly own: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    await before?.()
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

async function run(cwd: string, [program, ...args]: readonly [string, ...string[]]): Promise<void> {
  await exec(program, args, { cwd, maxBuffer: 64 * 1024 * 1024, timeout: 300_000 })
}

async function clear(home: Home, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(`${home.path}/${name}`, { recursive: true, force: true })
}
