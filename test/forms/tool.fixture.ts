import { setTimeout as starting } from 'node:timers/promises'
import { checkEach } from '../../src/host/apply/loading.ts'
import { byGeneration, byServiceStart } from '../../src/host/apply/proof.ts'
import type { Grammar } from '../../src/host/apply/steps.ts'
import { type Files, openFiles } from '../../src/host/files.ts'
import type { Run } from '../../src/host/run.ts'
import { type Script, scriptedRun } from '../../src/host/testing/scripted-run.ts'
import { detectByVersion } from '../../src/tools/detection.ts'
import { edited, owned, ownedFile } from '../../src/tools/tool-files.ts'
import { tool, versionedTool } from '../../src/tools/tool.ts'

interface PoolArgs {
  readonly pools: readonly { readonly name: string; readonly content: string | null }[]
}

interface Setting {
  readonly key: string
  readonly value: string
}

const lineOf = (text: string, key: string) =>
  text.split('\n').find((line) => line.startsWith(`${key}=`)) ?? null

/** Lines of `key=value`, of which an edit replaces or adds one. */
const settings: Grammar<Setting, null> = {
  edit: (text, { key, value }) => {
    const line = lineOf(text, key)
    return line === null ? `${text}${key}=${value}\n` : text.replace(line, `${key}=${value}`)
  },
  part: (text, { key }) => lineOf(text, key),
  keep: () => null,
  takeBack: (text, { key, value }, { part }) =>
    text.replace(`${key}=${value}\n`, part === null ? '' : `${part}\n`),
  mask: (text) => text,
}

const titles = {
  title: ({ key }: Setting) => `Set ${key}`,
  partName: ({ key }: Setting) => key,
}

/** A program in two versions, with several owned files, an edited file and a command that builds what it reads; it names no generation. */
export const sampled = versionedTool({
  name: 'sampled',
  title: 'Sample',
  versions: ['1', '2'],
  packages: (version) => [`sampled-${version}`],
  service: (version) => `sampled-${version}`,
  detect: (on) => detectByVersion([`sampled-${on.version}`, '--version'])(on),
  loading: ({ host, name, service, version }) => ({
    directories: [`/etc/sampled/${version}/pools`],
    checkCommand: ['sampled-check'],
    check: checkEach(host.run, (path) => ['sampled-check', path]),
    regenerate: [['sampled-build', version]],
    proof: byServiceStart(name, {
      files: host.files,
      services: host.services,
      service,
      limitMs: 100,
      probe: async () => {
        const { code, stderr } = await host.run(['sampled-ask', version])
        return code === 0 ? undefined : stderr
      },
    }),
  }),
  files: ({ version }) => ({
    pools: owned<PoolArgs>({
      title: ({ pools }) => `Write the pools ${pools.map(({ name }) => name).join(', ')}`,
      files: ({ pools }) =>
        pools.map(({ name, content }) => ({ path: `/etc/sampled/${version}/pools/${name}`, content })),
    }),
    key: ownedFile(`/etc/sampled/${version}/pools/key`, { mode: 0o600 }),
    main: edited(`/etc/sampled/${version}/main.conf`, settings, titles),
  }),
})

/** Another one, which reports the generation that it serves. */
export const stamped = tool({
  name: 'stamped',
  title: 'Stamped',
  packages: ['stamped'],
  service: 'stamped',
  detect: detectByVersion(['stamped', '--version']),
  loading: ({ host }) => ({
    directories: ['/etc/stamped'],
    checkCommand: ['sampled-check'],
    check: checkEach(host.run, (path) => ['sampled-check', path]),
    proof: byGeneration(host.files, {
      path: '/etc/stamped/generation',
      render: (generation) => `generation ${generation}\n`,
      parse: (content) => /^generation (\S+)$/m.exec(content)?.[1],
      served: async () => (await host.run(['stamped-served'])).stdout || undefined,
      isRunning: async () => (await host.run(['stamped-served'])).code === 0,
      reload: async () => void (await host.run(['stamped-reload'])),
      limitMs: 100,
    }),
  }),
  files: () => ({
    main: edited('/etc/stamped/main.conf', settings, titles),
    sites: ownedFile('/etc/stamped/sites.conf'),
  }),
})

/** A host of its own for the two samples: real files, and programs that read them. */
export interface SampleHost {
  readonly files: Files
  readonly run: Run
  readonly commands: readonly (readonly string[])[]
  /** The content that the programs have loaded, by name and version; absent while one is stopped. */
  readonly served: Map<string, string>
  /** Programs that are not installed. */
  readonly missing: Set<string>
}

const startMs = 12

/** Opens the host; every program runs. */
export async function openSampleHost(root: string): Promise<SampleHost> {
  const files = openFiles(root)
  const served = new Map<string, string>()
  const missing = new Set<string>()
  const started = new Map<string, number>()
  const build = async (version: string) => {
    const pools = await files.list(`/etc/sampled/${version}/pools`)
    const paths = ['main.conf', ...pools.map((name) => `pools/${name}`)]
    const texts = await Promise.all(paths.map((path) => files.read(`/etc/sampled/${version}/${path}`)))
    await files.write(`/var/lib/sampled/${version}`, texts.join(''))
    return texts.join('')
  }
  const load = async (version: string) => {
    served.set(`sampled-${version}`, (await files.read(`/var/lib/sampled/${version}`)) ?? '')
    started.set(`sampled-${version}`, Number(process.hrtime.bigint() / 1000n))
    await starting(startMs)
  }
  const loadStamped = async () => {
    const texts = await Promise.all(
      ['generation', 'main.conf', 'sites.conf'].map((name) => files.read(`/etc/stamped/${name}`)),
    )
    served.set('stamped', texts.join(''))
  }
  const scripts: Script = ([program = '', ...args]) => {
    const version = args.at(-1) ?? ''
    if (version === '--version')
      return missing.has(program) ? { code: 127 } : { stdout: `${program} 1.${program.at(-1)}.0` }
    if (program === 'systemctl' && args[0] === 'show')
      return { stdout: shown(started.get(version.replace('.service', ''))) }
    if (program === 'sampled-ask') return served.get(`sampled-${version}`)?.includes('mute') ? mute : {}
    if (program === 'stamped-served' && !served.has('stamped')) return { code: 1 }
    if (program === 'stamped-served')
      return { stdout: /^generation (\S+)$/m.exec(served.get('stamped') ?? '')?.[1] ?? '' }
    return undefined
  }
  const scripted = scriptedRun(scripts)
  const commands: (readonly string[])[] = []
  const ok = { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0 }
  const run: Run = async (argv, options) => {
    commands.push(argv)
    const last = argv.at(-1) ?? ''
    if (argv[0] === 'sampled-check') {
      const isBad = (await files.read(last.slice(root.length)))?.includes('forbidden')
      return isBad ? { ...ok, code: 1, stderr: `${last}:1: forbidden` } : ok
    }
    if (argv[0] === 'sampled-build')
      return (await build(last)).includes('unbuildable') ? { ...ok, code: 2, stderr: 'cannot build' } : ok
    if (argv[0] === 'systemctl' && argv[2] === 'restart') {
      const name = last.replace('.service', '')
      const isStuck = (await files.read(`/var/lib/sampled/${name.at(-1)}`))?.includes('stuck')
      if (!isStuck) await load(name.at(-1) ?? '')
      return ok
    }
    if (argv[0] === 'stamped-reload') {
      if (!(await files.read('/etc/stamped/main.conf'))?.includes('stuck')) await loadStamped()
      return ok
    }
    return scripted.run(argv, options)
  }
  for (const directory of ['/run/systemd/system', '/var/lib/sampled', '/etc/stamped'])
    await files.makeDirectory(directory)
  for (const version of ['1', '2']) {
    await files.makeDirectory(`/etc/sampled/${version}/pools`)
    await files.write(`/etc/sampled/${version}/main.conf`, 'size=1\n')
    await build(version)
    await load(version)
  }
  await files.write('/etc/stamped/main.conf', 'size=1\n')
  await loadStamped()
  return { files, run, commands, served, missing }
}

const mute = { code: 1, stderr: 'it does not answer' }

const shown = (startedUs: number | undefined) =>
  `ActiveState=${startedUs === undefined ? 'inactive' : 'active'}\nExecMainStartTimestampMonotonic=${startedUs ?? 0}\n`
