import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { run } from '../../../src/host/run.ts'
import { openTestPanel } from '../../support/panel.ts'
import { addWebsite } from '../../support/websites.ts'
import { makeFlat, makeTree } from '../archives/tree.ts'
import { type Figure, median } from '../figures.ts'
import { makeHomeInMemory, needsRoot } from '../homes.ts'
import { type Asking, askingOf } from './ask.ts'

const domain = 'shop.example.com'
const folder = `sites/${domain}`
/** What a website of many files changes between two backups. */
const changed = 10
const gently = 'nice -n 10 ionice -c 3'
const pack =
  'tar --create --format=posix --sparse --acls --xattrs "--xattrs-include=user.*" --no-check-device --ignore-failed-read'

/** Backups of websites, as ratios to the same pipelines run by hand. */
export async function measureBackups(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('backing up homes')) return []
  const home = makeHomeInMemory()
  chmodSync(home.folder, 0o755)
  const accounts = new Map([['bench', { uid: home.uid, home: home.path }]])
  const panel = await openTestPanel({ accounts, hasNginx: true, programs: ['ln'], isMeasured: true })
  try {
    mkdirSync(`${panel.root}/root`, { recursive: true })
    await panel.start()
    const owner = await panel.person({ username: 'bench', permissions: ['websites_management'] })
    const id = await addWebsite(panel, { domain, userId: owner.id, username: 'bench' })
    mkdirSync(`${home.path}/${folder}`, { recursive: true })
    await sh(`chown -R --reference=${home.path} ${home.path}/sites`)
    const asking = askingOf(panel, id, owner)
    const bench = { ...asking, home: home.path, byHand: `${panel.root}/by-hand`, rounds: isShort ? 3 : 5 }
    mkdirSync(bench.byHand)
    const figures = await ofFiles(bench, () => makeTree(home, `${folder}/public`, isShort ? 1000 : 4000))
    rmSync(`${home.path}/${folder}/public`, { recursive: true })
    makeFlat(home, `${folder}/public`, isShort ? 5000 : 20_000)
    return [
      ...figures,
      await ofIncrements(bench, isShort ? 5000 : 20_000),
      await ofScan(bench, panel.root),
      await ofMemory(bench, isShort ? 512 : 2048),
    ]
  } finally {
    await panel.close()
    home.remove()
  }
}

interface Bench extends Asking {
  readonly home: string
  readonly byHand: string
  readonly rounds: number
}

/** Full backups, and restores of them into a folder: the present state is not backed up there. */
async function ofFiles(bench: Bench, fill: () => { readonly bytes: number }): Promise<readonly Figure[]> {
  const { home, byHand, rounds, addSet, backUp, inspect } = bench
  const size = `of ${(fill().bytes / 1e6).toFixed(0)} MB`
  let name = ''
  for (let round = 0; round <= rounds; round += 1) await addSet(`full${round}`)
  const packing = await pairs(rounds, async (round) => ({
    tool: await sh(
      `rm -f ${byHand}/snapshot; ${gently} ${pack} --listed-incremental=${byHand}/snapshot --directory=${home}/${folder} . | ${gently} gzip -1 > ${byHand}/full.tar.gz; sync ${byHand}/full.tar.gz`,
    ),
    own: await timed(async () => (name = await backUp(`full${round}`))),
  }))
  const unpacking = await pairs(rounds, async () => {
    rmSync(`${home}/restores`, { recursive: true, force: true })
    const tool = await sh(
      `rm -rf ${home}/by-hand; mkdir ${home}/by-hand; sha256sum ${byHand}/full.tar.gz; ${gently} tar --extract --gzip --preserve-permissions --acls --xattrs "--xattrs-include=user.*" --listed-incremental=/dev/null --directory=${home}/by-hand --file=${byHand}/full.tar.gz`,
    )
    return { tool, own: await timed(() => inspect(name)) }
  })
  return [
    { ...packing, what: `a full backup ${size} / tar and gzip by hand`, bound: 1.15, loose: 2 },
    { ...unpacking, what: `a restore ${size} / sha256sum and tar by hand`, bound: 1.2, loose: 2.5 },
  ]
}

async function ofIncrements({ home, byHand, rounds, addSet, backUp }: Bench, files: number): Promise<Figure> {
  const argv = `${pack} --listed-incremental=${byHand}/snapshot --directory=${home}/${folder}`
  await sh(`rm -f ${byHand}/snapshot; ${argv} --file=/dev/null .`)
  await addSet('many')
  await backUp('many')
  const measured = await pairs(Math.min(rounds, 5), async (round) => {
    for (let at = 0; at < changed; at += 1)
      writeFileSync(`${home}/${folder}/public/entry-${at}.txt`, `changed ${round}\n`)
    return {
      tool: await sh(`${gently} ${argv} --file=${byHand}/increment.tar .`),
      own: await timed(() => backUp('many')),
    }
  })
  const what = `an increment of ${files.toLocaleString('en')} files, ${changed} changed / tar alone`
  return { ...measured, what, bound: 1.5, loose: 10 }
}

/** A scan of 500 sets, whose manifests are those of one backup. */
async function ofScan({ list, scan }: Bench, root: string): Promise<Figure> {
  const depot = `${root}/var/lib/hostreeve/backups/websites`
  const name = await list()
  const manifest = JSON.parse(readFileSync(`${depot}/bench/${domain}/${name}/manifest.json`, 'utf8'))
  for (let at = 0; at < 500; at += 1) {
    const other = `site-${at}.example.com`
    mkdirSync(`${depot}/bench/${other}/${name}`, { recursive: true })
    const path = `${depot}/bench/${other}/${name}/manifest.json`
    writeFileSync(path, JSON.stringify({ ...manifest, domain: other }))
  }
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) times.push(await timed(scan))
  return { what: 'a scan of 500 sets', value: median(times), unit: 'ms', bound: 1000 }
}

/** The growth of the process, in which the panel runs, while it backs up one file that does not shrink. */
async function ofMemory({ home, addSet, backUp }: Bench, megabytes: number): Promise<Figure> {
  rmSync(`${home}/${folder}/public`, { recursive: true })
  rmSync(`${home}/by-hand`, { recursive: true, force: true })
  rmSync(`${home}/restores`, { recursive: true, force: true })
  await sh(`head -c ${megabytes}M /dev/urandom > ${home}/${folder}/large; chmod 644 ${home}/${folder}/large`)
  await sh(`chown --reference=${home} ${home}/${folder} ${home}/${folder}/large`)
  await addSet('large')
  writeFileSync('/proc/self/clear_refs', '5') // the peak begins anew
  const before = memoryOf('VmRSS')
  await backUp('large')
  const value = memoryOf('VmHWM') - before
  return { what: `memory: growth in a backup of ${megabytes} MB`, value, unit: 'MB', bound: 30, loose: 60 }
}

const memoryOf = (name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) /
  1024

/** Runs a script and returns its time in milliseconds. */
const sh = (script: string): Promise<number> =>
  timed(async () => {
    const { code, stderr } = await run(['sh', '-ec', script], { timeoutMs: 600_000 })
    if (code !== 0) throw new Error(`${script}: ${stderr}`)
  })

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

interface Pair {
  readonly tool: number
  readonly own: number
}

/** The median ratio of several rounds, after a warm-up round. */
async function pairs(
  rounds: number,
  measure: (round: number) => Promise<Pair>,
): Promise<Pick<Figure, 'value' | 'unit' | 'detail'>> {
  const measured: Pair[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const pair = await measure(round)
    if (round > 0) measured.push(pair)
  }
  const [own, tool] = [median(measured.map((pair) => pair.own)), median(measured.map((pair) => pair.tool))]
  return {
    value: median(measured.map((pair) => pair.own / pair.tool)),
    unit: 'x',
    detail: `${own.toFixed(0)} against ${tool.toFixed(0)} ms`,
  }
}
